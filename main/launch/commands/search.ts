import type { SearchView } from "../../../gateway/contract/search.ts";
import { searchProviders } from "../../../gateway/contract/settings.ts";
import { UsageError } from "../command-errors.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printFacts } from "../table.ts";
import { choiceOption } from "../values.ts";

function printSearch({ provider, key_hint, needs_key, price_usd, problem }: SearchView): string {
  if (provider === "none") return 'No search service is set. "postern settings set --search-provider NAME" sets one.';
  return printFacts({
    Service: provider,
    Key: needs_key ? (key_hint ?? "none") : null,
    Price: price_usd === null ? "not known" : `$${price_usd} for a search`,
    Problem: problem,
  });
}

const withKeys = searchProviders.filter((name) => name !== "none" && name !== "searxng");

const setSearchKey: Command = {
  name: "search key",
  about: "keep the key of a search service, read from standard input",
  options: {
    service: { value: "NAME", about: `${withKeys.join(", ")}; without it the one that is set` },
    "key-from": { value: "VARIABLE", about: "take the key from an environment variable instead" },
    remove: { value: null, about: "forget the key" },
  },
  async run(context, values) {
    const { control } = context;
    const current = (await control.call("search")).provider;
    const service = choiceOption(values, "service", withKeys) ?? withKeys.find((name) => name === current);
    if (service === undefined) throw new UsageError(`"search key" needs --service: ${withKeys.join(", ")}.`);
    const variable = values.text("key-from");
    const given = variable === undefined ? undefined : context.environment[variable];
    if (variable !== undefined && !given) {
      throw new UsageError(`--key-from ${variable}: there is no such environment variable.`);
    }
    const key = values.has("remove") ? null : (given ?? (await context.readInput())).trim();
    if (key === "") throw new UsageError("There is no key on standard input.");
    const view = await control.call("setSearchKey", { provider: service, key });
    const done = key === null ? `The key of ${service} is forgotten.` : `The key of ${service} is kept.`;
    const next = service === current ? "" : ` "postern settings set --search-provider ${service}" uses it.`;
    return { json: view, text: done + next };
  },
};

export const searchCommands: readonly Command[] = [
  mirror("search show", "search", "who searches the web for models that cannot, and at what price", {
    print: printSearch,
  }),
  setSearchKey,
  mirror("search test", "testSearch", "make one real search, which the service may charge", {
    print: ({ ok, results, ms, message }) =>
      ok ? `${results} results in ${ms} ms; the first: ${message}` : { failure: message },
  }),
];
