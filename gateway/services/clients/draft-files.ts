import type { ClientPart } from "../../contract/clients.ts";
import type { ClientFile, ClientKind, Order } from "../../core/clients/client-kind.ts";
import { applySettings, requirePlainJson, takeOut, readText } from "../../core/clients/edit-file.ts";
import type { Mark } from "../../core/clients/edit-file.ts";
import type { FormatName } from "../../core/clients/file-format.ts";
import type { Machine, Place } from "../../core/clients/place.ts";
import { createRefusal } from "../../core/clients/refused.ts";
import type { ClientFiles, FoundFile } from "../../store/clients/client-files.ts";
import type { StoredClient, StoredClientFile } from "../../store/document.ts";
import { sha256 } from "../../lib/ids.ts";

/** Draft of one file: its new content and the content that it replaces. */
export interface FileDraft {
  readonly place: Place;
  readonly format: FormatName;
  readonly parts: readonly ClientPart[];
  readonly found: FoundFile;
  /** The file without anything of ours; null for no file. */
  readonly base: Buffer | null;
  /** The backup that `base` is, when it is one already. */
  readonly backup: string | null;
  readonly made: readonly string[];
  /** Null: no file. */
  readonly after: Buffer | null;
  readonly marks: readonly Mark[];
  /** Lines of Postern that the user changed, and that therefore stay. */
  readonly unchanged: readonly string[];
}

/** Returns the files for the parts of a client; parts in one file are grouped. */
export function getPlaces(
  kind: ClientKind,
  machine: Machine,
  parts: readonly ClientPart[],
): readonly { readonly place: Place; readonly files: readonly ClientFile[] }[] {
  const found = new Map<string, { place: Place; files: ClientFile[] }>();
  for (const file of kind.files) {
    const place = parts.includes(file.part) ? file.place(machine) : null;
    if (place === null) continue;
    const known = found.get(place.path) ?? { place, files: [] };
    known.files.push(file);
    found.set(place.path, known);
  }
  return [...found.values()];
}

/** Places of a client, with the files that win over others. */
export async function findPlaces(
  files: Pick<ClientFiles, "read">,
  ...args: Parameters<typeof getPlaces>
): Promise<ReturnType<typeof getPlaces>> {
  return Promise.all(
    getPlaces(...args).map(async ({ place, files: parts }) => {
      const { instead = place.path } = place;
      const isThere =
        instead !== place.path &&
        (await files.read(instead).then(
          ({ bytes }) => bytes !== null,
          () => true,
        ));
      return { place: isThere ? { ...place, path: instead } : place, files: parts };
    }),
  );
}

export interface DraftRequest {
  readonly parts: readonly ClientPart[];
  readonly order: Order;
}

/**
 * Drafts the changes that connecting a client makes to its files, and to those that it was connected in before; with no
 * parts, the changes of an undo. Read-only.
 * @throws GatewayError for a file that cannot be changed
 */
export async function draftFiles(
  files: ClientFiles,
  kind: ClientKind,
  machine: Machine,
  record: StoredClient | undefined,
  request: DraftRequest,
): Promise<readonly FileDraft[]> {
  const places = await findPlaces(files, kind, machine, request.parts);
  const named = new Set(places.flatMap(({ files }) => files.map(({ part }) => part)));
  if (kind.link === undefined && request.parts.some((part) => !named.has(part)))
    throw createRefusal(
      `Where ${kind.name} keeps its settings is not known here: the environment names no home folder.`,
    );
  const drafts: FileDraft[] = [];
  for (const { place, files: parts } of places) {
    const stored = record?.files.find(({ path }) => path === place.path);
    const start = await cleanStored(files, place, stored);
    const [first] = parts;
    if (first === undefined) continue;
    const { format } = first;
    if (start.base !== null && first.plainJson === true) requirePlainJson(kind.name, readText(start.base));
    const settings = parts.flatMap((file) => file.settings(request.order));
    const { text, marks } = applySettings(format, start.base === null ? null : readText(start.base), settings);
    drafts.push({
      ...start,
      format,
      parts: [...new Set(parts.map(({ part }) => part))],
      after: Buffer.from(text),
      marks,
    });
  }
  for (const stored of record?.files ?? []) {
    if (drafts.some(({ place }) => place.path === stored.path)) continue;
    const place = getPlace(kind, machine, stored);
    const start = await cleanStored(files, place, stored);
    drafts.push({ ...start, format: stored.format, parts: [], after: start.base, marks: [] });
  }
  return drafts;
}

type Start = Pick<FileDraft, "place" | "found" | "base" | "backup" | "made" | "unchanged">;

/** The file as it would be had Postern never written it. */
async function cleanStored(files: ClientFiles, place: Place, stored: StoredClientFile | undefined): Promise<Start> {
  const found = await files.read(place.path);
  const plain: Start = { place, found, base: found.bytes, backup: null, made: stored?.made ?? [], unchanged: [] };
  // Never written, or the write was interrupted, or the user restored or removed the file.
  if (stored === undefined || found.digest === stored.before || found.bytes === null) return plain;
  const { before, backup } = stored;
  const backupBytes = before === null || backup === null ? null : await files.readBackup(backup, before);
  const ours = found.digest === stored.after || found.digest === stored.pending;
  if (ours && (before === null || backupBytes !== null)) return { ...plain, base: backupBytes, backup };
  const { text, unchanged: left } = takeOut(
    stored.format,
    readText(found.bytes),
    backupBytes === null ? null : readText(backupBytes),
    stored.marks,
  );
  // A file that Postern created and the app rewrote may have no other content.
  const isEmpty = before === null && /^[\s{}[\]]*$/.test(text);
  return { ...plain, base: isEmpty ? null : Buffer.from(text), unchanged: left };
}

function getPlace(kind: ClientKind, machine: Machine, stored: StoredClientFile): Place {
  const known = getPlaces(kind, machine, stored.parts).find(({ place }) =>
    [place.path, place.instead].includes(stored.path),
  );
  if (known !== undefined) return { ...known.place, path: stored.path };
  // It was written under another environment; its path is enough to restore it.
  return { path: stored.path, base: "/", lock: null };
}

/** Writes a file's new content. @returns the folders created for it, outermost first */
export async function writeDraft(files: ClientFiles, draft: FileDraft): Promise<readonly string[]> {
  const { place, found, after, made } = draft;
  await files.tidy(found.target);
  if (after === null) {
    if (found.bytes !== null) await files.remove(place, found, made);
    return [];
  }
  if (found.digest === sha256(after)) return [];
  return files.write(place, found, after);
}

/** Restores files to their earlier content, as far as the disk allows; the last one may not have been written. */
export async function putBack(files: ClientFiles, drafts: readonly FileDraft[]): Promise<void> {
  for (const { place, found, after } of drafts.toReversed()) {
    try {
      const now = await files.read(place.path);
      // The content is not ours: it was never written, or has been changed since.
      if (after === null ? now.bytes !== null : now.digest !== sha256(after)) continue;
      if (found.bytes !== null) await files.write(place, now, found.bytes);
      else if (now.bytes !== null) await files.remove(place, now, []);
    } catch {
      // The user gets the first failure; the record of an earlier connection still lists the file.
    }
  }
}
