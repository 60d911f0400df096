import type { ConnectionView, CredentialHealth } from "../contract/connection.ts";
import type { ProxyCheck, State } from "../contract/control.ts";
import type { LocalServerView } from "../contract/local-servers.ts";
import type { KeyView } from "../contract/key.ts";
import { countDaysLeft, describeEnding } from "../contract/model-ending.ts";
import type { ModelView } from "../contract/model-view.ts";
import type { RouteView } from "../contract/route-operations.ts";

/** A finding of `postern doctor`. `problem`: something does not work; `note`: worth knowing. */
export interface Finding {
  readonly level: "fine" | "note" | "problem";
  readonly about: string;
  readonly message: string;
}

/** Facts of a data folder that can be read without its Postern. */
export interface FolderFacts {
  readonly path: string;
  readonly exists: boolean;
  readonly writable: boolean;
  /** Files with secrets that other users of the machine may read. */
  readonly exposed: readonly string[];
  /** Damaged files that were set aside. */
  readonly quarantined: readonly string[];
  readonly freeBytes: number | null;
}

/** Returns findings from the checks of the proxies in use. */
export function diagnoseProxies(checks: readonly ProxyCheck[]): Finding[] {
  return checks.map(({ proxy, connection, ok, message }) =>
    ok ? fine(`proxy ${proxy}`, message) : getProblem(`proxy ${proxy}`, `For ${connection}: ${message}`),
  );
}

/** Facts that a running Postern reports about itself. */
export interface RunningFacts {
  readonly state: State;
  readonly connections: readonly ConnectionView[];
  readonly keys: readonly KeyView[];
  readonly servers: readonly LocalServerView[];
}

const LOW_SPACE_BYTES = 512 * 1024 * 1024;

const fine = (about: string, message: string): Finding => ({ level: "fine", about, message });
const note = (about: string, message: string): Finding => ({ level: "note", about, message });
const getProblem = (about: string, message: string): Finding => ({ level: "problem", about, message });

export function diagnoseNode(version: string, needed: number): Finding {
  if (Number.parseInt(version.replace(/^v/, ""), 10) >= needed) return fine("node", `Node ${version}.`);
  return getProblem(
    "node",
    `Node ${version} is too old. Run "npm ci", which brings Node ${needed}, and use npm scripts.`,
  );
}

export function diagnoseFolder(folder: FolderFacts): Finding[] {
  if (!folder.exists) return [note("folder", `${folder.path} does not exist yet; the first start makes it.`)];
  const findings: Finding[] = [];
  if (!folder.writable) {
    findings.push(getProblem("folder", `${folder.path} cannot be written. Give it to the user that runs Postern.`));
  }
  for (const file of folder.exposed) {
    findings.push(getProblem("folder", `Other users can read ${file}, which holds a secret. Run: chmod 600 "${file}"`));
  }
  if (folder.quarantined.length > 0) {
    const files = folder.quarantined.join(", ");
    findings.push(note("folder", `Damaged files were set aside in ${folder.path}/quarantine: ${files}.`));
  }
  if (folder.freeBytes !== null && folder.freeBytes < LOW_SPACE_BYTES) {
    const left = Math.floor(folder.freeBytes / (1024 * 1024));
    findings.push(getProblem("disk", `Only ${left} MiB are free; a full disk stops paid calls. Make room.`));
  }
  return findings.length > 0 ? findings : [fine("folder", folder.path)];
}

/** Returns a label such as `the user "ollama" (998)`. */
export function userLabel({ uid, name }: NonNullable<LocalServerView["user"]>): string {
  return name === null ? `the user ${uid}` : `the user "${name}" (${uid})`;
}

const remedies: Readonly<Record<CredentialHealth["state"], string>> = {
  ready: "",
  refused: "The provider refuses this key: replace it.",
  out_of_credit: "The provider account has no credit: top it up.",
  locked:
    "The keychain that encrypted the key is missing, locked or another one: start with it, or enter the key again.",
  failed: "The last request to it failed.",
  open: "It failed several times in a row. Until it responds again, other providers are tried first.",
  cooling: "The provider asked for a pause.",
};

/** Troubles that pass by themselves. */
const NOTED: ReadonlySet<CredentialHealth["state"]> = new Set(["failed", "cooling", "open"]);

/** Some providers have no model list. */
function getModels({ models }: ConnectionView): string {
  if (models.count === 0) return models.checked_at === null ? "It was not checked yet." : "It lists no models.";
  return models.count === 1 ? "1 model." : `${models.count} models.`;
}

function diagnoseConnection(connection: ConnectionView): Finding[] {
  const about = `connection ${connection.name}`;
  if (!connection.enabled) return [note(about, "It is switched off.")];
  if (!connection.present) return [note(about, "Its program does not run now.")];
  const findings = connection.credentials.flatMap(({ hint, state, reason, models }): Finding[] => {
    if (state === "ready") return models.map((each) => note(about, `The model ${each.model}: ${remedies[each.state]}`));
    const message = `${hint}: ${remedies[state]}${reason === null ? "" : ` It said: ${reason}`}`;
    return [NOTED.has(state) ? note(about, message) : getProblem(about, message)];
  });
  if (connection.models.error !== null) {
    findings.push(getProblem(about, `Its models could not be listed: ${connection.models.error}`));
  }
  return findings.length > 0 ? findings : [fine(about, getModels(connection))];
}

/** The uses of models: the routes and keys that name them, and the models that were called lately. */
export interface ModelUses {
  readonly models: readonly ModelView[];
  readonly routes: readonly Pick<RouteView, "name" | "models">[];
  readonly keys: readonly Pick<KeyView, "name" | "models" | "state">[];
  readonly used: ReadonlySet<string>;
}

/** Models in use, and their prices, that end soon or have ended. @param now Unix milliseconds */
export function diagnoseEndings({ models, routes, keys, used }: ModelUses, now: number): Finding[] {
  return models.flatMap(({ id, aliases, other_names, ends, price }): Finding[] => {
    const names = new Set([id, ...aliases, ...other_names]);
    const isNamed = ({ models: list }: { readonly models: readonly string[] | null }): boolean =>
      list?.some((name) => names.has(name)) === true;
    const users = [
      ...routes.filter(isNamed).map(({ name }) => `the route "${name}" uses it`),
      ...keys.filter((key) => key.state === "active" && isNamed(key)).map(({ name }) => `the key "${name}" names it`),
    ];
    if (users.length === 0 && !used.has(id) && !(ends !== undefined && ends.apps > 0)) return [];
    const about = `model ${id}`;
    const named = users.length === 0 ? "" : ` In use: ${users.join(", ")}.`;
    const findings: Finding[] = [];
    const left = countDaysLeft(ends?.on, now);
    if (ends !== undefined && left !== null) {
      const message = `${describeEnding(id, left, ends.on, ends.apps, ends.successor)}${named}`;
      findings.push(left <= 0 ? getProblem(about, message) : note(about, message));
    }
    const until = countDaysLeft(price?.until, now);
    if (until !== null)
      findings.push(note(about, `Its price ${until <= 0 ? "ended" : "changes"} on ${String(price?.until)}.${named}`));
    return findings;
  });
}

export function diagnoseRunning({ state, connections, keys, servers }: RunningFacts): Finding[] {
  const findings: Finding[] = [fine("running", `Postern ${state.version} at ${state.url} (process ${state.pid}).`)];
  if (state.status === "storage") {
    findings.push(
      getProblem("storage", "The disk refuses writes, so paid calls are refused. Make room or mend the disk."),
    );
  }
  if (state.status === "paused") {
    findings.push(note("running", 'It is paused and takes no calls. Run "postern resume", or use its Settings page.'));
  }
  if (state.status === "stopping") findings.push(note("running", "It is stopping."));
  for (const notice of state.notices) {
    findings.push(notice.level === "danger" ? getProblem("notice", notice.message) : note("notice", notice.message));
  }
  if (connections.length === 0) {
    const response = state.sandbox.active
      ? "the sandbox responds"
      : "and the sandbox is off, so no model can be served";
    const message = `No provider is connected; ${response}. Add one with "postern connections add".`;
    findings.push(state.sandbox.active ? note("connections", message) : getProblem("connections", message));
  }
  findings.push(...connections.flatMap(diagnoseConnection));
  for (const { name, base_url, id, user } of servers.filter((server) => server.state === "offered")) {
    const runner = user?.other === true ? `, run by ${userLabel(user)},` : "";
    findings.push(
      note(
        "found",
        `${name} at ${base_url}${runner} is not used. Use it with "postern connections use ${id}", or stop the offer with "postern connections refuse ${id}".`,
      ),
    );
  }
  if (!keys.some((key) => key.state === "active")) {
    findings.push(getProblem("keys", 'No local key can be used. Make one with "postern keys create --name NAME".'));
  }
  return findings;
}
