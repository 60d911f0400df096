import { join } from "node:path";
import { clientIdSchema } from "../../contract/clients.ts";
import { BACKUPS_FOLDER, sweepBackups } from "../backups/backup.ts";
import { STAGE_FOLDER } from "../backups/restore.ts";
import { KEY_FILE } from "../key-file.ts";
import { INSTANCE_FILE, TOKEN_FILE } from "../disk/instance.ts";
import type { Found, StoreFs } from "../disk/store-fs.ts";
import { QUARANTINE_FOLDER } from "../quarantine.ts";
import type { Quarantine } from "../quarantine.ts";
import { SECRETS_FILE } from "../secrets.ts";
import {
  HISTORY_FOLDER,
  MARKER_FILE,
  SCHEMA_VERSION,
  TASKS_FOLDER,
  USAGE_FOLDER,
  findMarker,
  removeTemporary,
} from "./data-folder.ts";

/** The kind that a file or folder with one of Postern's names must have. */
interface Place {
  readonly kind: "file" | "folder";
  readonly names: RegExp;
}

const file = (names: RegExp): Place => ({ kind: "file", names });
const folder = (...names: readonly string[]): Place => ({
  kind: "folder",
  names: new RegExp(`^(?:${names.join("|")})$`),
});

/** The intent to restore is an exception: without it, the progress of a restore would be unknown. */
const SINGLE_FILES = [MARKER_FILE, SECRETS_FILE, KEY_FILE, INSTANCE_FILE, TOKEN_FILE];
const CLIENTS_FOLDER = "clients";
const MEDIA_FOLDER = "media";

/** Keyed by parent folder, outermost first: content below a link is not checked before the link is removed. */
const PLACES: readonly (readonly [where: string, places: readonly Place[]])[] = [
  [
    "",
    [
      folder(USAGE_FOLDER, TASKS_FOLDER, HISTORY_FOLDER, BACKUPS_FOLDER, STAGE_FOLDER, MEDIA_FOLDER, CLIENTS_FOLDER),
      folder("recordings", "desktop"),
      file(/^(?:state|delta|journal)\.\d+\.ndjson$/),
      file(/^index\.sqlite(?:-wal|-shm|-journal)?$/),
      file(new RegExp(`^(?:${SINGLE_FILES.map((name) => name.replaceAll(".", "\\.")).join("|")})$`)),
    ],
  ],
  [USAGE_FOLDER, [file(/\.(?:ndjson|heads|blocks|sessions)$/)]],
  [TASKS_FOLDER, [file(/\.ndjson$/)]],
  [HISTORY_FOLDER, [file(/\.(?:ndjson|table)$/)]],
  [MEDIA_FOLDER, [file(/\.(?:ndjson|json|key|pages)$/), folder("incoming", "pending", "deleted")]],
  [CLIENTS_FOLDER, [folder(...clientIdSchema.options)]],
];

/**
 * Tidies a data folder before anything in it is opened. Call it with its lock. Anything that is not a file or folder
 * where ours belongs is moved aside, so that nothing is read, written or deleted through a link elsewhere. Partial
 * writes left by a kill are removed. Files of a newer version are unchanged.
 */
export async function tidyFolder(fs: StoreFs, dir: string, quarantine: Quarantine): Promise<void> {
  if (await isOfNewerVersion(fs, dir)) return;
  await moveFalseQuarantine(fs, dir, quarantine);
  await moveMisfits(fs, dir, quarantine);
  await sweepBackups(fs, dir);
  await removeTemporary(fs, join(dir, MEDIA_FOLDER));
  const clients = new Set<string>(clientIdSchema.options);
  for (const name of await fs.list(join(dir, CLIENTS_FOLDER))) {
    if (clients.has(name)) await removeTemporary(fs, join(dir, CLIENTS_FOLDER, name));
  }
}

async function moveMisfits(fs: StoreFs, dir: string, quarantine: Quarantine): Promise<void> {
  for (const [where, places] of PLACES) {
    if (where !== "" && (await fs.check(join(dir, where)))?.kind !== "folder") continue;
    for (const entry of await fs.list(join(dir, where))) {
      const place = places.find(({ names }) => names.test(entry));
      const name = join(where, entry);
      const found = place === undefined ? null : await fs.check(join(dir, name));
      if (place === undefined || found === null || found.kind === place.kind) continue;
      await quarantine.move(name, "damaged", misfit(name, found.kind, place.kind));
    }
  }
}

async function isOfNewerVersion(fs: StoreFs, dir: string): Promise<boolean> {
  const path = join(dir, MARKER_FILE);
  const marker = (await fs.size(path)) === null ? null : findMarker(await fs.readWhole(path));
  return marker !== null && marker.schemaVersion > SCHEMA_VERSION;
}

/** Nothing may be moved to the target of a link. */
async function moveFalseQuarantine(fs: StoreFs, dir: string, quarantine: Quarantine): Promise<void> {
  const found = await fs.check(join(dir, QUARANTINE_FOLDER));
  if (found === null || found.kind === "folder") return;
  const takenNames = new Set(await fs.list(dir));
  let name = `${QUARANTINE_FOLDER}-before`;
  for (let count = 2; takenNames.has(name); count += 1) name = `${QUARANTINE_FOLDER}-before-${count}`;
  await fs.rename(join(dir, QUARANTINE_FOLDER), join(dir, name));
  const message = `${misfit(QUARANTINE_FOLDER, found.kind, "folder")} It is called ${name} now.`;
  quarantine.tell("damaged", message, null, QUARANTINE_FOLDER);
}

const WORDS: Readonly<Record<Found["kind"], string>> = {
  file: "a file",
  folder: "a folder",
  link: "a link to another place",
  other: "neither a file nor a folder",
};

function misfit(name: string, found: Found["kind"], expected: Place["kind"]): string {
  const rule = found === "link" ? " Postern follows no links within its data folder." : "";
  return `${name} was ${WORDS[found]}, where ${WORDS[expected]} of Postern belongs, and was set aside.${rule}`;
}
