import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { CommandError } from "../command-errors.ts";
import type { Command } from "../command.ts";
import { sizeLabel, table } from "../table.ts";

export const pause: Command = {
  name: "pause",
  about: "refuse new requests until resumed; running ones finish, video tasks go on",
  options: {},
  async run({ control }) {
    const state = await control.call("pause");
    return { json: state, text: 'Paused. "postern resume" ends it, and so does the next start.' };
  },
};

export const resume: Command = {
  name: "resume",
  about: "take calls again",
  options: {},
  async run({ control }) {
    const state = await control.call("resume");
    return { json: state, text: `Postern takes calls at ${state.url}/v1.` };
  },
};

export const restart: Command = {
  name: "restart",
  about: "stop and start again in the same process; calls that run have five seconds to end",
  options: {},
  async run({ control }) {
    const { can_restart: canRestart, next, port } = await control.call("address");
    if (!canRestart) throw new CommandError("The desktop app starts itself again: quit it and open it.", "conflict");
    await control.call("restart");
    // Without a page to open: the token that came is left to expire.
    const where = `${next.host}:${next.port === 0 ? port : next.port}`;
    return {
      json: { host: next.host, port: next.port === 0 ? port : next.port },
      text: `Postern starts again, on ${where}.`,
    };
  },
};

export const listBackups: Command = {
  name: "backups",
  about: "the backups of the data folder, newest first",
  options: {},
  async run({ control }) {
    const view = await control.call("listBackups");
    const rows = view.data.map(({ name, kind, bytes, opens_keys: opens }) => [
      name,
      kind,
      sizeLabel(bytes),
      opens ? "opens provider keys" : "",
    ]);
    const text =
      rows.length === 0 ? 'There is none. "postern backup" makes one.' : table(["ID", "WHY", "SIZE", "SECRETS"], rows);
    return { json: view, text };
  },
};

export const removeBackup: Command = {
  name: "backups remove",
  about: "delete a backup for good",
  takesId: true,
  options: {},
  async run({ control }, { id }) {
    const view = await control.call("removeBackup", { name: id });
    return { json: view, text: `The backup ${id} is deleted.` };
  },
};

export const restoreBackup: Command = {
  name: "restore",
  about: "put a backup in the place of the data at the next start; the data becomes a backup itself",
  takesId: true,
  options: {},
  async run({ control }, { id }) {
    const view = await control.call("restoreBackup", { name: id });
    const { can_restart } = await control.call("address");
    if (can_restart) await control.call("restart");
    const text = can_restart ? "Postern starts again with it now." : "Stop Postern and start it again to finish.";
    return { json: view, text: `${id} is whole and will be restored. ${text}` };
  },
};

export const diagnostics: Command = {
  name: "diagnostics",
  about: "save a ZIP for whoever helps: no keys, no prompts",
  options: {},
  async run({ control }) {
    const [{ url }, { link }] = await Promise.all([control.instance(), control.call("diagnostics")]);
    const response = await fetch(new URL(link, url));
    if (!response.ok) throw new CommandError(`Postern responded with ${response.status}. Try again.`);
    const given = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    const path = basename(given ?? "postern-diagnostics.zip");
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    return { json: { path }, text: `Saved as ${path}.` };
  },
};
