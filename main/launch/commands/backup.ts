import type { Command } from "../command.ts";
import { sizeLabel } from "../table.ts";

export const backUp: Command = {
  name: "backup",
  about: "copy keys, connections, spend and history into the data folder's backups",
  options: {
    "without-key": { value: null, about: "leave out secret.key: provider keys then open in this data folder alone" },
  },
  async run({ control }, values) {
    const backup = await control.call("backup", { without_key: values.has("without-key") });
    const { path, bytes, opens_keys: opensKeys } = backup;
    const warning = opensKeys
      ? "\nIt holds secret.key: who reads it can open the provider keys. --without-key leaves that out."
      : "";
    return { json: backup, text: `Backed up to ${path} (${sizeLabel(bytes)}).${warning}` };
  },
};
