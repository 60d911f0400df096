import * as fc from "fast-check";
import { outcomeSchema, unitClassSchema, type Receipt } from "../../../../gateway/contract/receipt.ts";
import { statusClassSchema } from "../../../../gateway/contract/list.ts";
import { passedReasons, requestKinds } from "../../../../gateway/contract/routed.ts";
import { NOON } from "../fixtures.ts";

export const words = [
  "gpt-5",
  "GPT-5",
  'a "quoted" name',
  "back\\slash",
  "é",
  "x\u0000y",
  '"ms":7,',
  "}]",
  "",
  "req_1",
];
export const text = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "grapheme", maxLength: 12 }));
const tenths = fc.integer({ min: 0, max: 10_000_000 }).map((value) => value / 10);
const any = fc.oneof(tenths, fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }));
/** What was passed over has fields of the names that receipts have. */
const passed = fc.record(
  {
    model: text,
    reason: fc.constantFrom(...passedReasons),
    provider: text,
    status: fc.constantFrom(200, 404, 502),
    code: text,
    nano: fc.nat(),
  },
  { requiredKeys: ["model", "reason"] },
);
const route = fc.record(
  { name: text, rule: fc.integer({ min: 1, max: 20 }), passed: fc.array(passed, { maxLength: 3 }) },
  { requiredKeys: ["name", "passed"] },
);
/** It has the names of fields of receipts, too. */
const prefix = fc.record({
  after: text,
  idle_ms: fc.nat(),
  changed: fc.subarray(["model", "provider", "tools"] as const).map((parts) => [...parts]),
  of: fc.nat(),
  kept: fc.nat(),
  missed: fc.option(fc.nat(), { nil: null }),
  missed_nano: fc.option(fc.nat(), { nil: null }),
});
const whole = {
  id: text,
  at: fc.integer({ min: NOON - 20, max: NOON + 20 }),
  key: text,
  endpoint: fc.constantFrom("chat", "images"),
  model: text,
  provider: text,
  connection: fc.constantFrom("con_1", "con_2"),
  client: fc.oneof(text, fc.constantFrom("claude-cli", "Claude Code", "codex_exec")),
  status: fc.constantFrom(200, 404, 499, 502),
  // No code is empty.
  code: fc.option(
    text.filter((code) => code !== ""),
    { nil: null },
  ),
  outcome: fc.constantFrom(...outcomeSchema.options),
  stream: fc.boolean(),
  ms: any,
  first_ms: fc.option(any, { nil: null }),
  sandbox: fc.boolean(),
  estimated: fc.boolean(),
  terms: fc.array(
    fc.record({
      unit: fc.constantFrom(...unitClassSchema.options),
      quantity: fc.oneof(fc.nat(), fc.constant(13.24)),
      nano_per_million: fc.nat(),
      nano: fc.nat(),
    }),
    { maxLength: 4 },
  ),
  nano: fc.option(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { nil: null }),
  price: fc.option(fc.record({ source: text, as_of: text }), { nil: null }),
};
/** Around NOON, of few different models and clients. */
export const anyReceipt: fc.Arbitrary<Receipt> = fc.record(
  {
    ...whole,
    message: text,
    kinds: fc.subarray([...requestKinds], { minLength: 1 }),
    route,
    session: text,
    project: text,
    agent: text,
    prefix,
  },
  { requiredKeys: Object.keys(whole) as (keyof typeof whole)[] },
);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Few of its words are in few receipts. */
export const anySearch = fc.record({
  key: optional(fc.constantFrom(...words)),
  model: optional(fc.constantFrom(...words)),
  provider: optional(fc.constantFrom(...words)),
  connection: optional(fc.constantFrom("con_1", "con_2")),
  outcome: optional(fc.constantFrom(...outcomeSchema.options)),
  session: optional(fc.constantFrom(...words)),
  project: optional(fc.constantFrom(...words)),
  client: optional(fc.constantFrom("Claude Code", "claude-cli", "Codex")),
  agent: optional(fc.constantFrom(...words)),
  status: optional(fc.constantFrom(...statusClassSchema.options)),
  since: optional(fc.constantFrom(NOON - 5, NOON)),
  until: optional(fc.constantFrom(NOON, NOON + 5)),
  q: optional(fc.constantFrom("gpt", "Q", "claude", "É", "\\", '"', "con_", "req_")),
  named: fc.constantFrom([], ["con_2"]),
  asked: optional(fc.constantFrom(["gpt-5"], ["GPT-5", "back\\slash"], ["}]", "req_1", "é"])),
});
