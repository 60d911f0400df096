import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { CommandError } from "../command-errors.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printTable, sizeLabel } from "../table.ts";

export const pauseCommands: readonly Command[] = [
  mirror("pause", "pause", "refuse new requests until resumed; running ones finish, video tasks go on", {
    print: () => 'Paused. "postern resume" ends it, and so does the next start.',
  }),
  mirror("resume", "resume", "take calls again", { print: ({ url }) => `Postern takes calls at ${url}/v1.` }),
  {
    name: "restart",
    about: "stop and start again in the same process; calls that run have five seconds to end",
    options: {},
    async run({ control }) {
      const { can_restart: canRestart, next, port: now } = await control.call("address");
      if (!canRestart) throw new CommandError("The desktop app starts itself again: quit it and open it.", "conflict");
      await control.call("restart");
      // Without a page to open: the received token expires unused.
      const port = next.port === 0 ? now : next.port;
      return { json: { host: next.host, port }, text: `Postern starts again, on ${next.host}:${port}.` };
    },
  },
  mirror("open", "issuePageToken", "print a fresh address of the pages, good for one sign-in", {
    print: ({ url }) => url,
  }),
];

export const backupCommands: readonly Command[] = [
  mirror("backup", "backup", "copy keys, connections, spend and history into the data folder's backups", {
    options: { without_key: "leave out secret.key: provider keys then open in this data folder alone" },
    print({ path, bytes, opens_keys: opensKeys }) {
      const warning = opensKeys
        ? "\nIt holds secret.key: who reads it can open the provider keys. --without-key leaves that out."
        : "";
      return `Backed up to ${path} (${sizeLabel(bytes)}).${warning}`;
    },
  }),
  mirror("backups", "listBackups", "the backups of the data folder, newest first", {
    print: ({ data }) =>
      data.length === 0
        ? 'There is none. "postern backup" makes one.'
        : printTable(data, {
            ID: "name",
            WHY: "kind",
            SIZE: "bytes",
            SECRETS: ({ opens_keys: opens }) => (opens ? "opens provider keys" : ""),
          }),
  }),
  mirror("backups remove", "removeBackup", "delete a backup for good", {
    id: "name",
    print: (_, { id }) => `The backup ${id} is deleted.`,
  }),
  mirror(
    "restore",
    "restoreBackup",
    "put a backup in the place of the data; the data becomes a backup itself. Postern restarts with it if it runs headless",
    {
      id: "name",
      async print(_, { id, control }) {
        const { can_restart: canRestart } = await control.call("address");
        if (canRestart) await control.call("restart");
        const next = canRestart ? "Postern starts again with it now." : "Stop Postern and start it again to finish.";
        return `${id} is whole and will be restored. ${next}`;
      },
    },
  ),
];

export const diagnostics: Command = mirror(
  "diagnostics",
  "diagnostics",
  "save a ZIP for people who help you: no keys, no prompts",
  {
    async print({ link }, { control, resolve }) {
      const { url } = await control.instance();
      const response = await fetch(new URL(link, url));
      if (!response.ok) throw new CommandError(`Postern responded with ${response.status}. Try again.`);
      const given = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
      const path = resolve(basename(given ?? "postern-diagnostics.zip"));
      await writeFile(path, Buffer.from(await response.arrayBuffer()));
      return { json: { path }, text: `Saved as ${path}.` };
    },
  },
);
