import { clientIdSchema, clientPartSchema } from "../../../gateway/contract/clients.ts";
import type { ClientCheck, ClientModels, ClientPlan, ClientView } from "../../../gateway/contract/clients.ts";
import { chatModels, likelyModel } from "../../../gateway/contract/likely-models.ts";
import type { Command, CommandContext, CommandResult, CommandValues } from "../command.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { printTable } from "../table.ts";
import { choiceOption, numberOption } from "../values.ts";

const IDS = clientIdSchema.options.join(", ");
const NOTHING_YET = "Nothing is written yet. Add --yes to write it.";

const yes = { value: null, about: "write it; without this it is only shown" } as const;

const NOTES: Readonly<Record<ClientPlan["notes"][number], string>> = {
  other_key: "The file holds another key as well. If the app sends both, Postern refuses the call.",
  elsewhere: "Another setting of the file sends the app elsewhere. Verify names it.",
  readable_by_others: "Other people on this machine may read this file, and the key in it.",
  linked: "The file is a link: the file that it leads to is written, the link stays.",
};

function describeState({ writes, connected, found }: ClientView): string {
  if (writes.length === 0) return "manual setup";
  if (connected !== null) return connected.key === null ? "its key was revoked" : "connected";
  return found ? "detected" : "not installed";
}

/** The one that was named. @throws UsageError with the names that there are */
async function findClient({ control }: CommandContext, id: string): Promise<ClientView> {
  const { data } = await control.call("listClients");
  const name = id.toLowerCase();
  const client = data.find((one) => one.id === name || one.name.toLowerCase() === name);
  if (client === undefined) throw new UsageError(`There is no client "${id}". There are: ${IDS}.`);
  if (client.writes.length > 0) return client;
  const texts = client.manual.map(({ label, text }) => `${label}\n${indent(text)}`);
  throw new CommandError(`Postern writes no file of ${client.name}. Set it up manually:\n\n${texts.join("\n\n")}`);
}

/** Max printed lines of a change, as a picker may have thousands of models. */
const MAX_LINES = 60;

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");

const signs = { added: "+", removed: "-", same: " " } as const;

/** Formats each file with its changed lines. */
export function planText({ files, notes }: ClientPlan): string {
  const blocks = files.map(({ path, action, lines, kept: unchanged }) => {
    const head = { create: "a new file", change: "changed", remove: "removed", keep: "stays as it is" }[action];
    const body = lines.slice(0, MAX_LINES).map(({ kind, text }) => `${signs[kind]} ${text}`);
    if (lines.length > MAX_LINES) body.push(`… ${lines.length - MAX_LINES} more lines, which --json shows`);
    if (unchanged.length > 0) body.push(`You changed these since; they stay: ${unchanged.join(", ")}`);
    return [`${path} (${head})`, ...body].join("\n");
  });
  return [...blocks, ...notes.map((note) => NOTES[note])].join("\n\n");
}

/** Describes the result of one real call, one line per part. */
function checkLines(checks: readonly ClientCheck[]): string[] {
  return checks.map(({ part, ok, ms, model, message }) => {
    const what = part === "models" ? "Models" : "Tools (MCP)";
    const shortMessage = message.slice(0, 300);
    if (!ok) return `${what}: does not work. ${shortMessage}`;
    return `${what}: works, ${ms} ms${model === null ? "" : `, ${model}`}. ${shortMessage}`;
  });
}

/** The models that were named; for the others those that the page would offer. */
async function getModels(context: CommandContext, client: ClientView, values: CommandValues): Promise<ClientModels> {
  const served = chatModels((await context.control.call("listModels")).data);
  const offered = values.list("offer");
  const models: ClientModels = {};
  for (const slot of client.slots) {
    const given = values.text(slot === "main" ? "model" : slot);
    const model = given ?? client.connected?.models[slot] ?? likelyModel(slot, served);
    if (model !== "") models[slot] = model;
  }
  if (!client.has_picker) return models;
  const chosen = offered.length > 0 ? offered : client.connected?.models.offered;
  return { ...models, ...(chosen !== undefined && { offered: chosen }) };
}

type Outcome = CommandResult & { readonly name: string };

/** Puts what happened to several apps together; one that fails does not stop the others. */
async function runForEach(
  clients: readonly ClientView[],
  work: (client: ClientView) => Promise<CommandResult>,
  none: string,
): Promise<CommandResult> {
  const done: Outcome[] = [];
  for (const client of clients) {
    try {
      done.push({ ...(await work(client)), name: client.name });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      done.push({ json: { error: error.message }, text: error.message, failure: error.message, name: client.name });
    }
  }
  const failed = done.filter(({ failure }) => failure !== undefined);
  return {
    json: { data: done.map(({ name, json }) => ({ name, ...(json as object) })) },
    text: done.length === 0 ? none : done.map(({ name, text }) => `${name}\n${indent(text)}`).join("\n\n"),
    ...(failed.length > 0 && { failure: `Not done: ${failed.map(({ name }) => name).join(", ")}.` }),
  };
}

export const listClients: Command = {
  name: "clients list",
  about: "the apps that Postern can connect, and the state of each",
  options: {},
  async run({ control }) {
    const view = await control.call("listClients");
    const text = printTable(view.data, {
      ID: "id",
      NAME: "name",
      STATE: describeState,
      FILES: ({ files }) => files.map(({ path }) => path),
    });
    return { json: view, text };
  },
};

export const connectClient: Command = {
  name: "clients connect",
  about: 'give an app a key and write its settings, shown before; "postern clients list" names them',
  takesId: "[APP]",
  options: {
    all: { value: null, about: "every app that is detected and not connected yet" },
    offer: { value: "MODEL", about: "a further model of its picker; without it all chat models", repeatable: true },
    part: { value: "PART", about: "models or mcp alone; without it both" },
    model: { value: "MODEL", about: "the model that it asks, where it asks for one" },
    opus: { value: "MODEL", about: "what Claude Code gets for Opus, with which it starts" },
    sonnet: { value: "MODEL", about: "what Claude Code gets for Sonnet" },
    haiku: { value: "MODEL", about: "what Claude Code gets for Haiku, for small tasks" },
    limit: { value: "USD", about: "monthly limit of its key" },
    yes,
  },
  async run(context, values) {
    if (values.has("all") === (values.id !== "")) throw new UsageError('"clients connect" needs an APP, or --all.');
    if (!values.has("all")) return connectOne(context, values, await findClient(context, values.id));
    const { data } = await context.control.call("listClients");
    const connectable = data.filter(({ found, writes, connected }) => found && writes.length > 0 && connected === null);
    return runForEach(
      connectable,
      (client) => connectOne(context, values, client),
      "No app is detected that is not connected yet.",
    );
  },
};

async function connectOne(context: CommandContext, values: CommandValues, client: ClientView): Promise<CommandResult> {
  const { control } = context;
  const part = choiceOption(values, "part", clientPartSchema.options);
  const parts = part === undefined ? client.writes : [part];
  const models = parts.includes("models") ? await getModels(context, client, values) : {};
  const plan = await control.call("planClient", { parts, models }, client.id);
  if (!values.has("yes")) return { json: plan, text: `${planText(plan)}\n\n${NOTHING_YET}` };
  const limit = numberOption(values, "limit");
  const body = { parts, models, token: plan.token, ...(limit === undefined ? {} : { limit_usd: limit }) };
  const { secret, link } = await control.call("connectClient", body, client.id);
  const { data } = await control.call("checkClient", {}, client.id);
  const lines = [planText(plan), "", `${client.name} is connected. Start it again if it is running.`];
  if (secret !== null && link === null) lines.push(`Put this key into its settings (shown only now): ${secret}`);
  if (link !== null) lines.push(`Open this link, which holds its key (shown only now): ${link}`);
  lines.push(...checkLines(data));
  const json = { plan, secret, link, checks: data };
  return { json, text: lines.join("\n").trim(), ...getFailure(client, data) };
}

export const refreshClients: Command = {
  name: "clients refresh",
  about: "write the models of now into the pickers of connected apps; without APP all whose list is out of date",
  takesId: "[APP]",
  options: {},
  async run(context, { id }) {
    const { control } = context;
    const { data } = await control.call("listClients");
    const selected =
      id === "" ? data.filter(({ connected }) => connected?.is_outdated === true) : [await findClient(context, id)];
    return runForEach(
      selected,
      async (client) => {
        const view = await control.call("refreshClient", {}, client.id);
        return { json: view, text: "Its models are those that are served now. Start it again if it is running." };
      },
      "The models of all connected apps are those that are served now.",
    );
  },
};

export const checkClient: Command = {
  name: "clients check",
  about: "make one small real call as a connected app would, and say what happened",
  takesId: "APP",
  options: {},
  async run(context, { id }) {
    const client = await findClient(context, id);
    const { data } = await context.control.call("checkClient", {}, client.id);
    return { json: { data }, text: checkLines(data).join("\n"), ...getFailure(client, data) };
  },
};

export const undoClient: Command = {
  name: "clients undo",
  about: "restore an app's settings byte for byte and revoke its key, shown before",
  takesId: "[APP]",
  options: { all: { value: null, about: "every connected app" }, yes },
  async run(context, values) {
    const { control } = context;
    if (values.has("all") === (values.id !== "")) throw new UsageError('"clients undo" needs an APP, or --all.');
    if (!values.has("all")) return undoOne(context, values, await findClient(context, values.id));
    const { data } = await control.call("listClients");
    const connected = data.filter(({ connected }) => connected !== null);
    return runForEach(connected, (client) => undoOne(context, values, client), "No app is connected.");
  },
};

async function undoOne({ control }: CommandContext, values: CommandValues, client: ClientView): Promise<CommandResult> {
  const plan = await control.call("planClientUndo", {}, client.id);
  if (!values.has("yes")) return { json: plan, text: `${planText(plan)}\n\n${NOTHING_YET}`.trim() };
  const view = await control.call("undoClient", { token: plan.token }, client.id);
  return { json: view, text: `${planText(plan)}\n\n${client.name} is as it was; its key is revoked.`.trim() };
}

function getFailure({ name }: ClientView, checks: readonly ClientCheck[]): { failure?: string } {
  return checks.every(({ ok }) => ok) ? {} : { failure: `${name} is written, but does not work.` };
}
