import type { ModelSpec } from "../../core/models/model.ts";
import { Failure } from "../failure.ts";
import { textOf } from "../fields.ts";

/**
 * The effort that a request asks for, where the model knows efforts; null where it says nothing.
 * @param param the field that holds it
 * @throws Failure (400) for one that the model does not have, in OpenAI's words
 */
export function effortOf(value: unknown, spec: ModelSpec, param: string): string | null {
  const efforts = spec.reasoning?.efforts ?? [];
  if (value === undefined || value === null || efforts.length === 0) return null;
  const effort = textOf(value);
  if (effort !== undefined && efforts.includes(effort)) return effort;
  const supported = efforts.map((known) => `'${known}'`).join(", ");
  const given = JSON.stringify(value).slice(0, 100);
  throw new Failure(400, `Unsupported value: '${param}' is ${given}. Supported values are: ${supported}.`, {
    param,
    code: "unsupported_value",
  });
}
