import type { AppliedClient, ApplyClient, ClientModels, ClientPart } from "../../contract/clients.ts";
import type { ClientKind, Offered, Order } from "../../core/clients/client-kind.ts";
import { USUAL_CONTEXT, listOffered } from "../../core/clients/offered.ts";
import { readData, readText } from "../../core/clients/edit-file.ts";
import { GatewayError } from "../../core/errors.ts";
import { sha256 } from "../../lib/ids.ts";
import type { StoredClient, StoredClientFile } from "../../store/document.ts";
import type { Commit } from "../../store/record-changes.ts";
import type { ClientDeps } from "./client-deps.ts";
import { draftFiles, findPlaces, putBack, writeDraft } from "./draft-files.ts";
import type { FileDraft } from "./draft-files.ts";
import { KEY_TO_COME, getToken } from "./plan-client.ts";

const offerModels = ({ listControlModels }: ClientDeps, models: ClientModels): readonly Offered[] =>
  listOffered(listControlModels.list(), models);

/** Identifies what an app's picker was given, to see when it is out of date. */
export const hashOffered = (deps: ClientDeps, models: ClientModels): string =>
  sha256(JSON.stringify(offerModels(deps, models)));

/**
 * Drafts the new content of a client's files; read-only. @param key null for an undo, which removes all Postern lines
 */
export function getDrafts(
  deps: ClientDeps,
  kind: ClientKind,
  parts: readonly ClientPart[],
  models: ClientModels,
  key = KEY_TO_COME,
): Promise<readonly FileDraft[]> {
  const { store, clientFiles, machine } = deps;
  if (parts.includes("models") && kind.slots.includes("main") && models.main === undefined)
    throw new GatewayError("missing_required_parameter", `Choose the model that ${kind.name} is to ask.`, {
      param: "models.main",
    });
  const order = createOrder(deps, kind, models, key);
  return draftFiles(clientFiles, kind, machine, store.document.clients.get(kind.id), { parts, order });
}

function createOrder(deps: ClientDeps, kind: ClientKind, models: ClientModels, key: string): Order {
  const { origin, listControlModels } = deps;
  return {
    origin: origin(),
    key,
    models,
    contextOf: (model) => listControlModels.one(model).context_length ?? USUAL_CONTEXT,
    offered: kind.hasPicker === true ? offerModels(deps, models) : [],
  };
}

/** @throws GatewayError conflict, when the files are not those that the owner was shown. */
export function requireSameFiles(drafts: readonly FileDraft[], token: string): void {
  if (getToken(drafts) === token) return;
  throw new GatewayError(
    "conflict",
    "The files were changed since you saw the change. Look at it again, and try again.",
  );
}

/**
 * Connects a client: its key, the backups, the record, and then the files, in this order, so that an interruption
 * leaves a state that can be undone. If a file cannot be written, everything is rolled back.
 * @param commit writes the client's record, while its lock is held
 * @param keepsKey keeps the key, which the client may store outside its files
 * @returns the key's secret if the client does not read it from the file, and the link of a client that takes one
 */
export async function connectClient(
  deps: ClientDeps,
  kind: ClientKind,
  input: ApplyClient,
  commit: Commit,
  keepsKey = false,
): Promise<Pick<AppliedClient, "secret" | "link">> {
  const { store, clientFiles, clock } = deps;
  const known = store.document.clients.get(kind.id);
  requireSameFiles(await getDrafts(deps, kind, input.parts, input.models), input.token);
  for (const { place, found } of await getDrafts(deps, kind, input.parts, input.models))
    await clientFiles.requireWritable(place, found);

  const key = await getKey(deps, kind, known, input, keepsKey && kind.keyElsewhere === true);
  const done: FileDraft[] = [];
  try {
    const drafts = await getDrafts(deps, kind, input.parts, input.models, key.secret);
    requireSameFiles(drafts, input.token);
    const backed = await Promise.all(drafts.map((draft) => withBackup(deps, kind, draft)));
    const record: StoredClient = {
      id: kind.id,
      at: clock.now(),
      key_id: key.id,
      parts: input.parts,
      models: input.models,
      files: backed.filter(({ parts }) => parts.length > 0).map(storedFile),
      checks: [],
      ...(kind.hasPicker === true && { offered_hash: hashOffered(deps, input.models) }),
    };
    await commit([{ op: "put", in: "clients", record: { ...record, files: underWay(record.files, known) } }]);
    const made = new Map<string, readonly string[]>();
    for (const draft of backed) {
      done.push(draft);
      made.set(draft.place.path, await writeDraft(clientFiles, draft));
    }
    const files = record.files.map((file) => ({ ...file, made: [...file.made, ...(made.get(file.path) ?? [])] }));
    await commit([{ op: "put", in: "clients", record: { ...record, files } }]);
  } catch (error) {
    await putBack(clientFiles, done);
    await commit([
      known === undefined ? { op: "delete", in: "clients", id: kind.id } : { op: "put", in: "clients", record: known },
    ]);
    if (key.fresh) await deps.manageKeys.revoke(key.id);
    throw error;
  }
  if (known !== undefined && known.key_id !== key.id && store.document.keys.has(known.key_id))
    await deps.manageKeys.revoke(known.key_id);
  return {
    secret: kind.keyElsewhere === true && input.parts.includes("models") && key.fresh ? key.secret : null,
    link: kind.link?.url(createOrder(deps, kind, input.models, key.secret)) ?? null,
  };
}

interface ClientKey {
  readonly id: string;
  readonly secret: string;
  readonly fresh: boolean;
}

/** Returns the client's key if its file still has it, else a new one named after the client. */
async function getKey(
  deps: ClientDeps,
  kind: ClientKind,
  known: StoredClient | undefined,
  input: ApplyClient,
  keepsHidden: boolean,
): Promise<ClientKey> {
  const models =
    input.only_these_models === true
      ? Object.values(input.models)
          .flat()
          .filter((model) => model !== undefined)
      : null;
  const limits = {
    limit_usd: input.limit_usd ?? null,
    reset: input.limit_usd == null ? ("never" as const) : ("monthly" as const),
    models: models === null || models.length === 0 ? null : [...new Set(models)],
  };
  const ringKey = known === undefined ? undefined : deps.keyRing.get(known.key_id);
  if (known !== undefined && ringKey !== undefined && deps.keyRing.objection(ringKey) === null) {
    if (keepsHidden && !known.parts.includes("mcp")) return { id: known.key_id, secret: "", fresh: false };
    for (const secret of await getSecrets(deps, kind, known.parts)) {
      if (sha256(secret) !== ringKey.record.hash) continue;
      if (input.limit_usd !== undefined || input.only_these_models !== undefined)
        await deps.manageKeys.update(known.key_id, limits);
      return { id: known.key_id, secret, fresh: false };
    }
  }
  const created = await deps.manageKeys.create({ name: kind.name, ...limits });
  return { id: created.key.id, secret: created.secret, fresh: true };
}

/** Returns the keys in a client's files. */
async function getSecrets(
  deps: ClientDeps,
  kind: ClientKind,
  parts: readonly ClientPart[],
): Promise<readonly string[]> {
  const secrets: string[] = [];
  for (const { place, files } of await findPlaces(deps.clientFiles, kind, deps.machine, parts)) {
    const { bytes } = await deps.clientFiles.read(place.path);
    if (bytes === null) continue;
    for (const file of files) {
      const key = file.connected?.(readData(file.format, readText(bytes)))?.key ?? null;
      if (key !== null) secrets.push(key);
    }
  }
  return secrets;
}

async function withBackup(deps: ClientDeps, kind: ClientKind, draft: FileDraft): Promise<FileDraft> {
  if (draft.base === null || draft.backup !== null || draft.parts.length === 0) return draft;
  const time = new Date(deps.clock.now()).toISOString().replaceAll(":", "").replace(".", "-");
  const name = `${kind.id}/${time}-${draft.parts.join("-")}`;
  return { ...draft, backup: await deps.clientFiles.keep(name, draft.base) };
}

/**
 * Record while files are being written: each file may have its last or its new content. Files to be restored are still
 * listed.
 */
function underWay(files: readonly StoredClientFile[], known: StoredClient | undefined): readonly StoredClientFile[] {
  const written = files.map((file) => {
    const earlier = known?.files.find(({ path }) => path === file.path);
    if (earlier === undefined) return file;
    return { ...file, after: earlier.after, pending: file.after, marks: [...earlier.marks, ...file.marks] };
  });
  const others = (known?.files ?? []).filter(({ path }) => files.every((file) => file.path !== path));
  return [...written, ...others];
}

function storedFile({ place, format, parts, base, backup, made, after, marks }: FileDraft): StoredClientFile {
  return {
    path: place.path,
    format,
    parts,
    before: base === null ? null : sha256(base),
    after: sha256(after ?? Buffer.alloc(0)),
    backup,
    made,
    marks,
  };
}
