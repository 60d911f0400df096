import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportSource } from "../../contract/import-operations.ts";
import type { ImportedField } from "../../contract/imports.ts";
import type { Machine } from "../../core/clients/place.ts";
import { GatewayError } from "../../core/errors.ts";
import { PASTED } from "../../core/imports/importer.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "../../core/imports/importer.ts";
import type { Known } from "../../core/imports/known.ts";
import { readDocumentApart } from "../../store/imports/documents-apart.ts";
import { readProgramFile } from "../../store/imports/program-files.ts";
import { isAbsolute } from "node:path";

/** Files that name further files, and these again. */
const MOST_ROUNDS = 5;
const MOST_FILES = 100;

/** The content of a program's files. */
export interface ProgramRead extends Imported {
  readonly files: readonly string[];
  readonly texts: readonly string[];
}

/** @throws GatewayError for a machine without a home folder, and a folder that is not absolute */
export function getPlaces({ home, platform, env }: Machine, folder: string | undefined): Places {
  if (folder !== undefined && !isAbsolute(folder))
    throw new GatewayError("invalid_value", `"${folder}" is not an absolute path of a folder.`, { param: "folder" });
  if (home === null && folder === undefined)
    throw new GatewayError("invalid_value", "The environment names no home folder. Name the program's folder.", {
      param: "folder",
    });
  return { home: home ?? "", platform, env, folder: folder ?? null };
}

/** Nothing is searched if a text was pasted, and an untrusted text does not read variables of this machine. */
const anyPlaces = ({ home, platform }: Machine): Places => ({ home: home ?? "", platform, env: {}, folder: null });

/**
 * Reads an importer's files and converts them.
 * @throws GatewayError not_found if the program has no files here
 */
export async function readProgram(
  importer: Importer,
  source: ImportSource,
  machine: Machine,
  known: Known,
): Promise<ProgramRead> {
  const places = source.text === undefined ? getPlaces(machine, source.folder) : anyPlaces(machine);
  const unreadable: ImportedField[] = [];
  const found =
    source.text === undefined
      ? await readFiles(importer, places, unreadable)
      : [await readText({ path: PASTED, text: source.text, tables: {}, otherTables: {} }, importer, places)];
  const files = found.filter(({ path, problem }) => {
    if (problem !== null) unreadable.push({ field: path, value: problem, fate: "left", reason: "unreadable" });
    return problem === null;
  });
  await nextTurn();
  const read = files.length === 0 ? null : importer.read(files, places, known);
  await nextTurn();
  if (read === null && unreadable.length === 0)
    throw new GatewayError(
      "not_found",
      source.text !== undefined
        ? `What was pasted is no set-up of ${importer.label}.`
        : source.folder === undefined
          ? `No set-up of ${importer.label} was found on this machine. Name the folder that it is in.`
          : `There is no set-up of ${importer.label} in ${source.folder}.`,
    );
  return {
    setup: read?.setup ?? {},
    fields: [...unreadable, ...(read?.fields ?? [])],
    files: found.map(({ path }) => path),
    texts: found.map(({ text }) => text),
  };
}

/** Tells whether a pasted text is a link, which may come from an untrusted source. */
export const isLink = (text: string): boolean => /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);

interface ParsedRead extends FileRead {
  readonly problem: string | null;
}

async function readText(file: FileRead, importer: Importer, places: Places): Promise<ParsedRead> {
  const { path, text } = file;
  const name = path === PASTED ? guessFormat(importer, places, text) : path;
  return { ...file, ...(await readDocumentApart(name, text)) };
}

/** A file name that says how a pasted text is written; "" for a link. */
function guessFormat(importer: Importer, places: Places, text: string): string {
  if (isLink(text)) return "";
  return importer.files(places).find(({ tables }) => tables === undefined)?.path ?? "";
}

async function readFiles(
  importer: Importer,
  places: Places,
  unreadable: ImportedField[],
): Promise<readonly ParsedRead[]> {
  const files: ParsedRead[] = [];
  const seen = new Set<string>();
  let requested: readonly RequestedFile[] = importer.files(places);
  for (let round = 0; round < MOST_ROUNDS && requested.length > 0 && seen.size < MOST_FILES; round++) {
    for (const { path, tables } of requested.slice(0, MOST_FILES - seen.size)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const file = await readProgramFile(path, tables);
      if (file !== null && "problem" in file)
        unreadable.push({ field: path, value: file.problem, fate: "left", reason: "unreadable" });
      else if (file !== null) files.push(await readText(file, importer, places));
    }
    requested = (importer.more?.(files, places) ?? []).filter(({ path }) => !seen.has(path));
  }
  return files;
}
