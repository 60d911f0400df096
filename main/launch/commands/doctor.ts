import { constants } from "node:fs";
import { access, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, type Command, type CommandContext } from "../command.ts";
import { diagnoseFolder, diagnoseNode, diagnoseRunning, type Finding, type FolderFacts } from "../diagnosis.ts";

const NODE_MAJOR = 24;
/** Files of the data folder that nobody but its owner may read. */
const SECRET_FILES = ["control.token", "secret.key", "secrets.json"];

async function lookAt(path: string): Promise<FolderFacts> {
  const exists = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!exists) return { path, exists, writable: false, exposed: [], quarantined: [], freeBytes: null };
  const writable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  const exposed: string[] = [];
  for (const name of SECRET_FILES) {
    const file = join(path, name);
    const mode = await stat(file).then(
      (entry) => entry.mode,
      () => 0,
    );
    // Windows keeps access in lists of its own; its mode bits say nothing.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) exposed.push(file);
  }
  const quarantined = await readdir(join(path, "quarantine")).catch((): string[] => []);
  const disk = await statfs(path).catch(() => null);
  return { path, exists, writable, exposed, quarantined, freeBytes: disk === null ? null : disk.bavail * disk.bsize };
}

async function askRunning({ control }: CommandContext): Promise<Finding[]> {
  try {
    await control.instance();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ level: error.code === "not_running" ? "note" : "problem", about: "running", message: error.message }];
  }
  try {
    const [state, connections, keys] = await Promise.all([
      control.call("state"),
      control.call("listConnections"),
      control.call("listKeys"),
    ]);
    return diagnoseRunning({ state, connections: connections.data, keys: keys.data });
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
      ...diagnoseFolder(await lookAt(context.dataFolder)),
      ...(await askRunning(context)),
    ];
    const problems = findings.filter((finding) => finding.level === "problem").length;
    const text = findings.map(({ level, about, message }) => `${marks[level]} ${about}: ${message}`).join("\n");
    const json = { ok: problems === 0, findings };
    if (problems === 0) return { json, text };
    return { json, text, failure: `${problems} ${problems === 1 ? "problem needs" : "problems need"} you.` };
  },
};
