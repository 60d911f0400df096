import type { LocalServerView } from "../../../gateway/contract/local-servers.ts";
import { userLabel } from "../../../gateway/core/diagnosis.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";

/** Lists the servers of this machine that are not used, a line for each, and what can be done with them. */
export function printFoundServers(servers: readonly LocalServerView[]): string[] {
  return servers.flatMap(({ id, name, base_url, state, user }) => {
    if (state === "used") return [];
    const owner = user?.other === true ? `, run by ${userLabel(user)}` : "";
    const next =
      state === "offered"
        ? `use it with "postern connections use ${id}", or "postern connections refuse ${id}".`
        : `refused; "postern connections forget ${id}" has it offered again.`;
    return [`Found: ${name} at ${base_url}${owner}; ${next}`];
  });
}

export const localServerCommands: readonly Command[] = [
  mirror(
    "connections use",
    "useLocalServer",
    "use a model server that was detected on this machine, whenever it runs",
    {
      options: { other_user: "although another user runs it, who can read what is sent to it" },
      print: ({ name, id }) => `${name} is used (id ${id}).`,
    },
  ),
  mirror("connections refuse", "refuseLocalServer", "stop offering a model server that was detected on this machine"),
  mirror("connections forget", "forgetLocalServer", "undo the decision about a detected model server"),
];
