import {
  diagnoseEndings,
  diagnoseFolder,
  diagnoseNode,
  diagnoseProxies,
  diagnoseRunning,
  type Finding,
} from "../../../gateway/core/diagnosis.ts";
import { outlook } from "../../../gateway/core/money/outlook.ts";
import { utcDay } from "../../../gateway/lib/clock.ts";
import { lookAtFolder } from "../../../gateway/store/folder/look-at-folder.ts";
import { type Command, type CommandContext } from "../command.ts";
import { CommandError } from "../command-errors.ts";

const NODE_MAJOR = 24;
async function askRunning({ control }: CommandContext): Promise<Finding[]> {
  try {
    await control.instance();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ level: error.code === "not_running" ? "note" : "problem", about: "running", message: error.message }];
  }
  try {
    const now = Date.now();
    const since = utcDay(now - 30 * 86_400_000);
    const [state, connections, keys, servers, budgets, proxies, models, routes, usage] = await Promise.all([
      control.call("state"),
      control.call("listConnections"),
      control.call("listKeys"),
      control.call("listLocalServers"),
      control.call("listBudgets"),
      control.call("checkProxies"),
      control.call("listModels"),
      control.call("listRoutes"),
      control.call("usage", { since, by: "model" }),
    ]);
    const money = outlook(state, keys.data, budgets.data);
    return [
      ...diagnoseRunning({ state, connections: connections.data, keys: keys.data, servers: servers.data }),
      ...diagnoseEndings(
        {
          models: models.data,
          routes: routes.data,
          keys: keys.data,
          used: new Set(usage.data.map(({ group }) => group)),
        },
        now,
      ),
      ...diagnoseProxies(proxies.data),
      ...money.map((message): Finding => ({ level: "note", about: "money", message })),
    ];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ level: "problem", about: "running", message: error.message }];
  }
}

const marks = { fine: "ok      ", note: "note    ", problem: "problem " } as const;

export const doctor: Command = {
  name: "doctor",
  about: "what is wrong, and what to do about it",
  options: {},
  async run(context) {
    const findings = [
      diagnoseNode(process.version, NODE_MAJOR),
      ...diagnoseFolder(await lookAtFolder(context.dataFolder)),
      ...(await askRunning(context)),
    ];
    const problems = findings.filter((finding) => finding.level === "problem").length;
    const text = findings.map(({ level, about, message }) => `${marks[level]} ${about}: ${message}`).join("\n");
    const json = { ok: problems === 0, findings };
    if (problems === 0) return { json, text };
    return { json, text, failure: `${problems} ${problems === 1 ? "problem needs" : "problems need"} you.` };
  },
};
