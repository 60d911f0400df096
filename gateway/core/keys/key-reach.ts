import { GatewayError } from "../errors.ts";
import type { FieldRules, Reach } from "./field-rules.ts";

/** What of a local key decides how far its requests reach. Money in nano USD. */
export interface KeyReach {
  readonly name: string;
  readonly models: readonly string[] | null;
  readonly limit_nano: number | null;
  /** Null or missing: as the limits say. */
  readonly hosted_tools?: boolean | null;
  readonly stored_objects?: boolean | null;
}

/** Who is limited to models or to an amount is limited to what can be known of both, unless the owner says otherwise. */
export function mayReach(key: KeyReach, reach: Exclude<Reach, "model">): boolean {
  const said = reach === "hosted_tool" ? key.hosted_tools : key.stored_objects;
  return said ?? (key.models === null && key.limit_nano === null);
}

/**
 * Checks what goes out to a provider against its key. Keys that may do everything cost a look at the top of the body.
 * @param rules of the provider's endpoint. @param body as it goes out.
 * @param allowsModel whether the key may use a model by this name.
 * @returns whether the provider will do what costs beside tokens.
 * @throws GatewayError field_not_allowed, model_not_allowed: naming the field.
 */
export function checkReach(
  key: KeyReach,
  rules: FieldRules,
  body: Readonly<Record<string, unknown>>,
  allowsModel: (name: string) => boolean,
): boolean {
  const tools = mayReach(key, "hosted_tool");
  const objects = mayReach(key, "stored_object");
  let costs = false;
  for (const { reach, path, value } of rules.find(body, key.models !== null || !tools || !objects)) {
    if (reach === "model") {
      if (key.models === null || (typeof value === "string" && allowsModel(value))) continue;
      const named = typeof value === "string" ? `the model ${shown(value)}` : "models";
      throw new GatewayError(
        "model_not_allowed",
        `The key "${key.name}" may not use ${named}, which '${path}' names. Leave the field out, or allow the model on the Keys page.`,
        { param: path },
      );
    }
    if (reach === "hosted_tool") {
      if (!tools) throw refused(key, path, value, TOOLS);
      costs = true;
    } else if (!objects) throw refused(key, path, value, OBJECTS);
  }
  return costs;
}

const TOOLS = ["asks the provider for what costs beside tokens", "hosted tools"] as const;
const OBJECTS = ["reaches what is stored in the provider's account", "stored objects"] as const;

function refused(key: KeyReach, path: string, value: unknown, [does, what]: readonly [string, string]): GatewayError {
  const said = typeof value === "string" ? ` (${shown(value)})` : "";
  return new GatewayError(
    "field_not_allowed",
    `'${path}'${said} ${does}, and the key "${key.name}" may not use ${what}. Leave the field out, or allow ${what} for this key on the Keys page.`,
    { param: path },
  );
}

function shown(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
