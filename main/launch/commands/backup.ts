import type { Command } from "../command.ts";
import { sizeLabel } from "../table.ts";

export const backUp: Command = {
  name: "backup",
  about: "copy keys, connections, spend and history into the data folder's backups",
  options: {},
  async run({ control }) {
    const backup = await control.call("backup");
    return { json: backup, text: `Backed up to ${backup.path} (${sizeLabel(backup.bytes)}).` };
  },
};
