import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import { routeOrderSchema } from "../../../gateway/contract/routes.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import type { Command, CommandContext, CommandValues } from "../command.ts";
import { endingNotes } from "../ending-notes.ts";
import { namesKeys, ruleFromText, RULE_HELP, ruleText, type NamedKey } from "../route-rule.ts";
import { mirror } from "../mirror.ts";
import { printFacts, printTable } from "../table.ts";
import { choiceOption, given } from "../values.ts";

type Control = CommandContext["control"];

const ON_OFF = ["on", "off"] as const;
const onOff = (on: boolean): string => (on ? "on" : "off");

async function routeNamed(control: Control, name: string): Promise<RouteView> {
  const { data } = await control.call("listRoutes");
  const route = data.find((one) => one.name === name);
  if (route !== undefined) return route;
  throw new CommandError(`There is no route "${name}". "postern route list" names them.`, "not_found");
}

/** A row for each route. */
function printRoutes(routes: readonly RouteView[]): string {
  if (routes.length === 0) return 'There are no routes. Make one with "postern route set NAME MODEL…".';
  return printTable(routes, {
    NAME: "name",
    STATE: ({ enabled }) => onOff(enabled),
    MODELS: "models",
    ORDER: ({ order, sticky }) => (sticky ? `${order}, sticky` : order),
    ">RULES": ({ rules }) => rules.length,
  });
}

/** Formats a whole route, one line per rule, numbered and in input syntax. */
function routeText(route: RouteView, keys: readonly NamedKey[]): string {
  const { name, enabled, models, order, sticky, rules, hides, unserved } = route;
  const numbered = rules.map((rule, at) => [
    `Rule ${at + 1}`,
    `${ruleText(rule, keys)}${rule.enabled ? "" : " (off)"}`,
  ]);
  return printFacts({
    Route: `${name}, ${onOff(enabled)}`,
    Models: models,
    Order: order,
    Sticky: onOff(sticky),
    ...(Object.fromEntries(numbered) as Record<string, string>),
    Hides: hides && `the model ${hides}`,
    Unserved: unserved.length > 0 ? unserved : null,
  });
}

/** Fetches key names only if rules refer to keys. */
async function getKeys(control: Control, needed: boolean): Promise<readonly NamedKey[]> {
  return needed ? (await control.call("listKeys")).data : [];
}

async function showRoute(control: Control, route: RouteView): Promise<string> {
  const keys = await getKeys(
    control,
    route.rules.some(({ when }) => when.keys !== undefined),
  );
  return routeText(route, keys);
}

/** @returns undefined if neither is given */
function enabledOption(values: CommandValues): boolean | undefined {
  if (values.has("on") && values.has("off")) throw new UsageError("Either --on or --off.");
  return values.has("on") ? true : values.has("off") ? false : undefined;
}

async function rulesOption(control: Control, values: CommandValues) {
  const texts = values.list("rule");
  if (values.has("no-rules")) {
    if (texts.length > 0) throw new UsageError("Either --rule or --no-rules.");
    return [];
  }
  if (texts.length === 0) return undefined;
  const keys = await getKeys(control, texts.some(namesKeys));
  return texts.map((text) => ruleFromText(text, keys));
}

const setRoute: Command = {
  name: "route set",
  about: "make or change a route, its models in the order in which they are asked; what is left out stays",
  takesId: "NAME",
  takesMore: "MODEL…",
  options: {
    order: { value: "ORDER", about: "listed (as written), cheapest or fastest" },
    sticky: { value: "on|off", about: "a session stays with the model that responded to it" },
    rule: {
      value: "RULE",
      about: `"CONDITIONS: MODELS" for requests for which they hold; repeat it. Replaces all rules. Conditions: ${RULE_HELP}`,
      repeatable: true,
    },
    "no-rules": { value: null, about: "take all rules away" },
    on: { value: null, about: "it applies" },
    off: { value: null, about: "it is kept and does not apply" },
  },
  async run({ control }, values) {
    const fields = given({
      order: choiceOption(values, "order", routeOrderSchema.options),
      sticky: stickyOption(values),
      enabled: enabledOption(values),
      rules: await rulesOption(control, values),
    });
    const named = values.more.flatMap((word) => word.split(",")).filter((word) => word !== "");
    const models = named.length > 0 ? named : (await routeNamed(control, values.id)).models;
    const route = await control.call("setRoute", { name: values.id, models, ...fields });
    return { json: route, text: await showRoute(control, route) };
  },
};

function stickyOption(values: CommandValues): boolean | undefined {
  const choice = choiceOption(values, "sticky", ON_OFF);
  return choice === undefined ? undefined : choice === "on";
}

const switchRule: Command = {
  name: "route rule",
  about: 'switch a rule on or off, by its number in "postern route show"',
  takesId: "NAME",
  takesMore: "on|off N",
  options: {},
  async run({ control }, values) {
    const [state, number = "", extra] = values.more;
    if ((state !== "on" && state !== "off") || !/^\d+$/.test(number) || extra !== undefined)
      throw new UsageError('"route rule" takes the route, on or off, and the number of the rule.');
    const { name, models, rules } = await routeNamed(control, values.id);
    const at = Number(number) - 1;
    if (rules[at] === undefined)
      throw new CommandError(
        `The route "${name}" has no rule ${number}. "postern route show" numbers them.`,
        "not_found",
      );
    const changed = rules.map((rule, index) => (index === at ? { ...rule, enabled: state === "on" } : rule));
    const route = await control.call("setRoute", { name, models, rules: changed });
    return { json: route, text: await showRoute(control, route) };
  },
};

const renameRoute: Command = {
  name: "route rename",
  about: "call a route by another name; keys that are allowed it by its name keep it",
  takesId: "NAME",
  takesMore: "NAME",
  options: {},
  async run({ control }, values) {
    const [name, extra] = values.more;
    if (name === undefined || extra !== undefined)
      throw new UsageError('"route rename" takes the route and its new name.');
    const { models } = await routeNamed(control, values.id);
    const route = await control.call("setRoute", { name, renames: values.id, models });
    return { json: route, text: `${values.id} is called ${route.name} now.` };
  },
};

export const routeCommands: readonly Command[] = [
  mirror("route list", "listRoutes", "names that clients use like a model, each with its models", {
    async print({ data }, { control }) {
      const { routes: apply } = await control.call("getSettings");
      const notes = apply ? [] : ['None of them applies now. "postern settings set --routes on" lets them.'];
      return [printRoutes(data), ...notes, ...(await endingNotes(control, data))].join("\n");
    },
  }),
  {
    name: "route show",
    about: "one route with its rules",
    takesId: "NAME",
    options: {},
    async run({ control }, { id }) {
      const route = await routeNamed(control, id);
      return { json: route, text: await showRoute(control, route) };
    },
  },
  setRoute,
  switchRule,
  renameRoute,
  mirror("route remove", "removeRoute", "take a route away; a model of its name is called by it again", {
    id: "name",
    options: { confirm: { name: "yes", about: "do it although keys that are allowed the route lose it" } },
  }),
];
