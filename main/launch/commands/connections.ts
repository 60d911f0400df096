import { modelKindSchema, ownModelSchema, readOwnModel, writeOwnModel } from "../../../gateway/contract/connection.ts";
import type { ConnectionView, CreateConnection, CredentialHealth } from "../../../gateway/contract/connection.ts";
import { formatBalance } from "../../../gateway/contract/credit.ts";
import { ownBodySchema, ownHeadersSchema } from "../../../gateway/contract/own-fields.ts";
import type { Preset } from "../../../gateway/contract/control.ts";
import { providerIds } from "../../../gateway/providers/registry.ts";
import { type Command, type CommandContext, type CommandValues } from "../command.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { mirror } from "../mirror.ts";
import { printTable } from "../table.ts";
import { printFoundServers } from "./local-servers.ts";
import { choiceOption, given, integerOption, numberOption } from "../values.ts";

function healthLabel(credentials: readonly CredentialHealth[]): string {
  const states = [...new Set(credentials.map((credential) => credential.state))];
  return states.length === 0 ? "no key" : states.join(", ").replaceAll("_", " ");
}

function stateLabel({ enabled, present, credentials }: ConnectionView): string {
  if (!enabled) return "disabled";
  return present ? healthLabel(credentials) : "not running";
}

/** Some providers have no model list: nothing is listed, but their models are served. */
function modelsLabel({ models }: ConnectionView): string {
  if (models.error !== null) return `${models.count} (${models.error})`;
  return models.count === 0 ? (models.checked_at === null ? "not fetched yet" : "none listed") : String(models.count);
}

/** Formats the credit left at a provider that reports it, with the time of the report, for each key. */
function creditLabel({ credentials }: ConnectionView): string {
  const labels = credentials.flatMap(({ credit }) => {
    if (credit === null) return [];
    const { balances, used_up, read_at, error } = credit;
    const left = balances.length > 0 ? balances.map(formatBalance).join(" and ") : used_up ? "used up" : "no limit";
    const read = read_at === null ? [] : [`${left} (${new Date(read_at).toISOString().slice(0, 16)}Z)`];
    return [[...read, ...(error === null ? [] : [`not read: ${error}`])].join(", ")];
  });
  return labels.length === 0 ? "-" : labels.join("; ");
}

/** A row for each connection, with the state of its provider keys. */
function printConnections(connections: readonly ConnectionView[]): string {
  if (connections.length === 0) return 'No provider is connected. Add one with "postern connections add".';
  return printTable(connections, {
    ID: "id",
    NAME: "name",
    PROVIDER: "provider",
    "BASE URL": "base_url",
    FROM: "origin",
    STATE: stateLabel,
    MODELS: modelsLabel,
    ...(connections.some(({ credentials }) => credentials.some(({ credit }) => credit !== null)) && {
      CREDIT: creditLabel,
    }),
  });
}

/** Options that name provider keys. */
const keyOptions = {
  "key-stdin": { value: null, about: "read the provider's key from standard input, one per line" },
  "key-from": { value: "VARIABLE", about: "take the provider's key from an environment variable", repeatable: true },
  key: { value: "KEY", about: "the provider's key itself; other users of the machine may see it", repeatable: true },
  untested: { value: null, about: "save keys without a call that tries them" },
} as const;

/** Tests keys before they are saved, with one free call. @throws CommandError with the provider's message */
async function tryKeys({ control }: CommandContext, values: CommandValues, wish: CreateConnection): Promise<void> {
  if (values.has("untested") || (wish.keys ?? []).length === 0) return;
  const { ok, message, problem } = await control.call("tryConnection", wish);
  if (!ok) throw new CommandError(`${message} Nothing was saved; --untested saves it as it is.`, problem);
}

/** Reads a provider key from the requested source, never from an argument unless given there. */
async function readKeys(context: CommandContext, values: CommandValues): Promise<string[]> {
  const keys = [...values.list("key")];
  for (const name of values.list("key-from")) {
    const value = context.environment[name];
    if (!value) throw new UsageError(`--key-from ${name}: there is no such environment variable.`);
    keys.push(value);
  }
  if (!values.has("key-stdin")) return keys;
  const lines = (await context.readInput()).split("\n").map((line) => line.trim());
  return [...keys, ...lines.filter((line) => line !== "")];
}

function findPreset(presets: readonly Preset[], id: string): Preset {
  const preset = presets.find((one) => one.id === id);
  if (preset !== undefined) return preset;
  throw new UsageError(`There is no preset "${id}". There are: ${presets.map((one) => one.id).join(", ")}.`);
}

/** Fields that each request to a provider gets, and how many requests it gets. */
const extraOptions = {
  header: { value: "'NAME: VALUE'", about: "header field of each request; all of them at once", repeatable: true },
  body: {
    value: "JSON",
    about: "fields that conversations get where they have none of that name, as '{\"top_k\":20}'",
  },
  rpm: { value: "N|none", about: "most requests per minute" },
  concurrency: { value: "N|none", about: "most requests at the same time" },
  "credit-notice": {
    value: "AMOUNT|none",
    about: "notify when the credit that it reports falls below this, in its currency",
  },
} as const;

function readLimit(
  values: CommandValues,
  name: "rpm" | "concurrency" | "credit-notice",
  read = integerOption,
): number | null | undefined {
  return values.text(name) === "none" ? null : read(values, name);
}

/** Reads what is given of them. @throws UsageError if a value has another form */
function readExtras(values: CommandValues) {
  const lines = values.list("header");
  const headers = ownHeadersSchema.safeParse(lines.join("\n"));
  if (!headers.success) throw new UsageError(`--header: ${headers.error.issues[0]?.message}.`);
  const body = ownBodySchema.safeParse(readJson(values.text("body") ?? "{}"));
  if (!body.success) throw new UsageError(`--body takes a JSON object: ${body.error.issues[0]?.message}.`);
  return given({
    headers: lines.length === 0 ? undefined : headers.data,
    body: values.text("body") === undefined ? undefined : body.data,
    rpm: readLimit(values, "rpm"),
    concurrency: readLimit(values, "concurrency"),
    credit_notice: readLimit(values, "credit-notice", numberOption),
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const addConnection: Command = {
  name: "connections add",
  about: "connect a provider",
  options: {
    preset: { value: "NAME", about: "a ready-made choice, such as openrouter; instead of --provider" },
    provider: { value: "PROVIDER", about: providerIds.join(", "), earlier: "vendor" },
    "base-url": { value: "URL", about: "its base URL, as https://host/v1; without it the provider's own" },
    name: { value: "NAME", about: "what to call it" },
    ...keyOptions,
    priority: { value: "N", about: "lower is tried first" },
    proxy: { value: "ADDRESS", about: "its proxy: default, direct, or an address such as socks5://proxy:1080" },
    "prompt-caching": { value: null, about: "mark prompts for the provider's cache, where the client marks none" },
    ...extraOptions,
    "allow-http": { value: null, about: "let its keys and prompts go over plain http to the internet" },
    "own-name-only": { value: null, about: "serve other providers' models as NAME/model only, and never stand in" },
  },
  async run(context, values) {
    const presetId = values.text("preset");
    const provider = choiceOption(values, "provider", providerIds);
    if ((presetId === undefined) === (provider === undefined)) {
      throw new UsageError('"connections add" needs either --preset NAME or --provider PROVIDER.');
    }
    const keys = await readKeys(context, values);
    const priority = integerOption(values, "priority");
    const preset =
      presetId === undefined ? undefined : findPreset((await context.control.call("listPresets")).data, presetId);
    const wish: CreateConnection = {
      provider: preset?.provider ?? provider ?? "openai-compatible",
      name: values.text("name") ?? preset?.label ?? provider ?? "",
      ...given({ base_url: values.text("base-url") ?? preset?.base_url, priority, proxy: values.text("proxy") }),
      ...(values.has("prompt-caching") ? { prompt_caching: true } : {}),
      ...(values.has("allow-http") ? { allow_http: true } : {}),
      ...(values.has("own-name-only") ? { stands_in: false } : {}),
      ...(keys.length > 0 ? { keys } : {}),
      ...readExtras(values),
    };
    await tryKeys(context, values, wish);
    const connection = await context.control.call("createConnection", wish);
    const next = `Try it with "postern connections test ${connection.id}".`;
    return { json: connection, text: `Connected ${connection.name} (id ${connection.id}). ${next}` };
  },
};

const changeConnection: Command = {
  name: "connections change",
  about: "change a provider or replace its keys; what is left out stays",
  takesId: "ID",
  options: {
    name: { value: "NAME", about: "what to call it" },
    "base-url": { value: "URL", about: "its base URL; the keys have to be given again with another one" },
    ...keyOptions,
    priority: { value: "N", about: "lower is tried first" },
    proxy: { value: "ADDRESS", about: "its proxy: default, direct, or an address such as socks5://proxy:1080" },
    "prompt-caching": { value: "on|off", about: "mark prompts for the provider's cache, where the client marks none" },
    ...extraOptions,
    "allow-http": { value: "on|off", about: "whether keys and prompts may go over plain http to the internet" },
    enabled: { value: "on|off", about: "off: it is asked nothing until it is on again" },
  },
  async run(context, values) {
    const { id } = values;
    const { provider, ...known } = await findConnection(context.control, id);
    const keys = await readKeys(context, values);
    const changes = given({
      name: values.text("name"),
      base_url: values.text("base-url"),
      priority: integerOption(values, "priority"),
      proxy: values.text("proxy"),
      prompt_caching: readSwitch(values, "prompt-caching"),
      allow_http: readSwitch(values, "allow-http"),
      enabled: readSwitch(values, "enabled"),
      keys: keys.length > 0 ? keys : undefined,
      ...readExtras(values),
    });
    if (Object.keys(changes).length === 0) throw new UsageError('"connections change" needs something to change.');
    const { enabled: _enabled, ...tried } = changes;
    await tryKeys(context, values, { provider, name: known.name, base_url: known.base_url, ...tried });
    const connection = await context.control.call("updateConnection", changes, id);
    return { json: connection, text: printConnections([connection]) };
  },
};

function readSwitch(values: CommandValues, name: string): boolean | undefined {
  const choice = choiceOption(values, name, ["on", "off"]);
  return choice === undefined ? undefined : choice === "on";
}

const setConnectionModels: Command = {
  name: "connections models",
  about: "say what a provider's models are for, and add those that it does not list",
  takesId: "ID",
  options: {
    set: { value: "MODEL[=KIND]", about: `the id, and ${modelKindSchema.options.join(", ")}`, repeatable: true },
    unset: { value: "MODEL", about: "leave it to the provider's list again", repeatable: true },
  },
  async run({ control }, values) {
    const known = await findConnection(control, values.id);
    const set = ownModelSchema.array().safeParse(values.list("set").map(readOwnModel));
    if (!set.success) throw new UsageError(`--set: ${set.error.issues[0]?.message ?? "expected MODEL=KIND"}.`);
    const changed = new Set([...values.list("unset"), ...set.data.map(({ id }) => id)].map((id) => id.toLowerCase()));
    const models = [...known.own_models.filter(({ id }) => !changed.has(id.toLowerCase())), ...set.data];
    const connection = changed.size === 0 ? known : await control.call("updateConnection", { models }, values.id);
    const lines = connection.own_models.map(writeOwnModel);
    const text = lines.length === 0 ? `What ${known.name} serves is left to its list.` : lines.join("\n");
    return { json: { data: connection.own_models }, text };
  },
};

const removeConnection: Command = {
  name: "connections remove",
  about: "forget a provider and its keys",
  takesId: "ID",
  options: {},
  async run({ control }, { id }) {
    const { name } = await findConnection(control, id);
    return { json: await control.call("removeConnection", {}, id), text: `${name} is removed.` };
  },
};

async function findConnection(control: CommandContext["control"], id: string): Promise<ConnectionView> {
  const { data } = await control.call("listConnections");
  const known = data.find((connection) => connection.id === id);
  if (known === undefined) throw new CommandError(`There is no connection ${id}.`, "not_found");
  return known;
}

export const connectionCommands: readonly Command[] = [
  addConnection,
  mirror("connections list", "listConnections", "all connected providers and how they are doing", {
    async print({ data }, { control }) {
      const found = (await control.call("listLocalServers")).data;
      return { json: { data, found }, text: [printConnections(data), ...printFoundServers(found)].join("\n") };
    },
  }),
  mirror("connections test", "testConnection", "make one call that costs nothing, and say what happened", {
    print({ ok, message, models, ms }) {
      if (!ok) return { failure: message };
      // Without a model nothing was measured: the sentence explains a provider without a list.
      return models === 0 ? message : `${message} (${Math.round(ms)} ms)`;
    },
  }),
  changeConnection,
  setConnectionModels,
  removeConnection,
];
