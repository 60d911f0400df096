import { isRecord } from "../lib/records.ts";

type Fields = Readonly<Record<string, unknown>>;

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
};

/**
 * The answer with everything that the specification shows of it. Vendors of the delta family echo their settings; what
 * others leave out is filled in (contract, "Images"). Tokens of models that are billed by the image are none. `created`
 * is filled in where all image answers are completed.
 * @param answer the vendor's document.
 * @param asked the client's fields.
 * @param made size of the first picture that was made, `1024x1024`, where it can be told: what `auto` came to.
 * @returns `answer` itself when nothing was missing, so that its own bytes can go on.
 */
export function completeEdit(answer: Fields, asked: Fields, made: string | null): Fields {
  const filled: Record<string, unknown> = { ...answer };
  let changed = false;
  const fill = (name: string, isThere: boolean, value: unknown): void => {
    if (isThere) return;
    filled[name] = value;
    changed = true;
  };
  const echo = (name: string, otherwise: string): void => {
    const value = asked[name];
    fill(name, typeof answer[name] === "string", typeof value === "string" ? value : otherwise);
  };
  echo("background", "auto");
  echo("output_format", "png");
  echo("quality", "auto");
  const size = typeof asked["size"] === "string" && asked["size"] !== "auto" ? asked["size"] : (made ?? "auto");
  fill("size", typeof answer["size"] === "string", size);
  fill("usage", isWhole(answer["usage"]), { ...NO_TOKENS, ...(isRecord(answer["usage"]) ? answer["usage"] : {}) });
  return changed ? filled : answer;
}

function isWhole(usage: unknown): boolean {
  return isRecord(usage) && Object.keys(NO_TOKENS).every((name) => usage[name] != null);
}
