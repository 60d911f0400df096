import type { LocalServerView } from "../../../gateway/contract/local-servers.ts";
import { userLabel } from "../../../gateway/core/diagnosis.ts";
import type { Command } from "../command.ts";

/** Lists the servers of this machine that are not used, a line for each, and what can be done with them. */
export function foundLines(servers: readonly LocalServerView[]): string[] {
  return servers.flatMap(({ id, name, base_url, state, user }) => {
    if (state === "used") return [];
    const whose = user?.other === true ? `, run by ${userLabel(user)}` : "";
    const next =
      state === "offered"
        ? `use it with "postern connections use ${id}", or "postern connections refuse ${id}".`
        : `refused; "postern connections forget ${id}" has it offered again.`;
    return [`Found: ${name} at ${base_url}${whose}; ${next}`];
  });
}

export const useServer: Command = {
  name: "connections use",
  about: "use a model server that was detected on this machine, whenever it runs",
  takesId: true,
  options: {
    "other-user": { value: null, about: "although another user runs it, who can read what is sent to it" },
  },
  async run({ control }, values) {
    const input = values.has("other-user") ? { other_user: true } : {};
    const connection = await control.call("useLocalServer", input, values.id);
    return { json: connection, text: `${connection.name} is used (id ${connection.id}).` };
  },
};

export const refuseServer: Command = {
  name: "connections refuse",
  about: "stop offering a model server that was detected on this machine",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const response = await control.call("refuseLocalServer", {}, values.id);
    return { json: response, text: `${values.id} is not offered again.` };
  },
};

export const forgetServer: Command = {
  name: "connections forget",
  about: "undo the decision about a detected model server",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const response = await control.call("forgetLocalServer", {}, values.id);
    return { json: response, text: `What was decided about ${values.id} is forgotten.` };
  },
};
