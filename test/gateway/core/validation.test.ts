import fc from "fast-check";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { chatRequestSchema } from "../../../gateway/contract/chat.ts";
import { createKeySchema } from "../../../gateway/contract/key.ts";
import { messagesRequestSchema } from "../../../gateway/contract/messages.ts";
import { moderationRequestSchema } from "../../../gateway/contract/moderations.ts";
import { responsesRequestSchema } from "../../../gateway/contract/responses.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { getParam, removeRefusedNulls, validate, validator } from "../../../gateway/core/validation.ts";
import { userTurn } from "../codecs/support/blocks.ts";

function messageOf(schema: z.ZodType, value: unknown): string {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
  }
  throw new Error("expected a GatewayError");
}

const chat = (fields: object) => messageOf(chatRequestSchema, { model: "m", messages: [userTurn("x")], ...fields });

describe("the sentence", () => {
  test.each([
    [chat({ temperature: 3 }), "Invalid value for 'temperature': 3; expected a number from 0 to 2."],
    [
      chat({ temperature: "hot" }),
      `Invalid type for 'temperature': expected a number from 0 to 2, but got a string ("hot").`,
    ],
    [chat({ n: 1.5 }), "Invalid type for 'n': expected a whole number from 1 to 128, but got a number (1.5)."],
    [chat({ verbosity: "loud" }), `Invalid value for 'verbosity': "loud"; expected one of "low", "medium", "high".`],
    [chat({ stop: 5 }), "Invalid type for 'stop': expected a string or an array, but got a number (5)."],
    [chat({ stop: ["a", 5] }), "Invalid type for 'stop[1]': expected a string, but got a number (5)."],
    [chat({ model: undefined }), "Missing required parameter: 'model': expected a string."],
    [messageOf(chatRequestSchema, []), "The request body must be an object; it is an array."],
    [messageOf(createKeySchema, { name: "a", colour: "red" }), "Unknown parameter: 'colour'."],
    [
      messageOf(createKeySchema, { name: "a".repeat(200) }),
      `Invalid value for 'name': "${"a".repeat(60)}…"; expected a text with a length of at most 100.`,
    ],
  ])("reads %j", (message, expected) => {
    expect(message).toBe(expected);
  });
});

test("shows no secret, neither as a value nor as a field name", () => {
  const secret = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
  expect(chat({ verbosity: secret })).not.toContain("abcdefgh");
  expect(chat({ logit_bias: { [secret]: "x" } })).not.toContain("abcdefgh");
});

test("shows no more than the beginning of a long value", () => {
  expect(chat({ verbosity: "v".repeat(1_000_000) }).length).toBeLessThan(300);
});

test("a missing field is not found on the prototype", () => {
  const schema = z.object({ toString: z.string(), constructor: z.string() });
  expect(messageOf(schema, {})).toMatch(/^Missing required parameter: '(toString|constructor)'/);
});

test.each([
  [["messages", 0, "role"], "messages[0].role"],
  [["messages", 12, "content", 3, "image_url", "url"], "messages[12].content[3].image_url.url"],
  [["logit_bias", "50256"], "logit_bias.50256"],
  [["metadata", "a b"], 'metadata["a b"]'],
  [[], ""],
])("writes the path %j as %s", (path, text) => {
  expect(getParam(path)).toBe(text);
});

describe("a validator", () => {
  const message = (check: () => unknown): unknown => {
    try {
      return check();
    } catch (error) {
      return error instanceof GatewayError ? [error.code, error.message, error.details] : error;
    }
  };
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("m", 1, true, [userTurn("x")], [{ role: "user" }], [{ type: "message", content: 1 }]),
  );

  test.each([
    ["chat", chatRequestSchema],
    ["messages", messagesRequestSchema],
    ["responses", responsesRequestSchema],
  ])("says of %s what the whole schema says, whichever fields come in whichever order", (_name, schema) => {
    const check = validator(() => schema);
    const names = fc.constantFrom(...Object.keys(schema.shape), "unknown", "__proto__", "toString");
    const members = fc.uniqueArray(fc.tuple(names, values), { selector: ([name]) => name, maxLength: 8 });
    fc.assert(
      fc.property(members, (fields) => {
        const body: unknown = JSON.parse(
          `{${fields.map((field) => field.map((one) => JSON.stringify(one)).join(":")).join()}}`,
        );
        expect(message(() => check(body))).toEqual(message(() => validate(schema, body)));
      }),
      { numRuns: 500 },
    );
    for (const body of [null, [], "text", undefined, {}]) {
      expect(message(() => check(body))).toEqual(message(() => validate(schema, body)));
    }
  });

  test("checks by the whole schema when clients have written fields in more orders than it keeps", () => {
    const fields = Array.from({ length: 30 }, (_, index) => `field${index}`);
    const schema = z.looseObject(Object.fromEntries(fields.map((field) => [field, z.number().nullish()])));
    const check = validator(() => schema);
    for (const one of fields) {
      for (const other of fields) {
        if (one === other) continue;
        expect(check({ [one]: 1, [other]: 2 })).toEqual({ [one]: 1, [other]: 2 });
        expect(message(() => check({ [one]: 1, [other]: "2" }))).toMatchObject([
          "invalid_type",
          expect.any(String),
          expect.any(Object),
        ]);
      }
    }
  });
});

describe("null", () => {
  const part = z.union([z.string(), z.array(z.strictObject({ text: z.string(), detail: z.string().optional() }))]);
  const schema = z.strictObject({
    name: z.string().optional(),
    seed: z.number().nullable().optional(),
    content: z.array(z.strictObject({ part, extra: z.looseObject({}).optional() })).optional(),
  });

  test.each([
    [{ name: null }, {}],
    [{ name: null, seed: null }, { seed: null }],
    [{ content: null }, {}],
    [{ content: [{ part: [{ text: "a", detail: null }], extra: null }] }, { content: [{ part: [{ text: "a" }] }] }],
    [
      { name: null, content: [{ part: "a", extra: { kept: null } }] },
      { content: [{ part: "a", extra: { kept: null } }] },
    ],
    [{ content: [null] }, { content: [null] }],
    [{ unknown: null }, { unknown: null }],
    [null, null],
  ])("of %j is left out where the schema takes none", (given, left) => {
    expect(removeRefusedNulls(schema, given)).toStrictEqual(left);
  });
});

describe("a list of bad items", () => {
  /** Items of which the second and later ones must not be looked at. */
  const listOf = (item: object): readonly object[] => {
    const unseen = new Proxy(item, {
      get: () => expect.unreachable(),
      has: () => expect.unreachable(),
      ownKeys: () => expect.unreachable(),
    });
    return [item, unseen];
  };

  test.each([
    ["messages[0].role", chatRequestSchema, { messages: listOf({}) }],
    ["messages[0].content", chatRequestSchema, { messages: listOf({ role: "user" }) }],
    [
      "messages[0].content[0].text",
      chatRequestSchema,
      { messages: [{ role: "user", content: listOf({ type: "text" }) }] },
    ],
    ["tools[0].type", chatRequestSchema, { messages: [userTurn("x")], tools: listOf({}) }],
    ["messages[0].role", messagesRequestSchema, { max_tokens: 1, messages: listOf({}) }],
    [
      "messages[0].content[0].text",
      messagesRequestSchema,
      { max_tokens: 1, messages: [{ role: "user", content: listOf({ type: "text" }) }] },
    ],
    [
      "messages[0].content[0].content[0].text",
      messagesRequestSchema,
      {
        max_tokens: 1,
        messages: [
          { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: listOf({ type: "text" }) }] },
        ],
      },
    ],
    ["tools[0].name", messagesRequestSchema, { max_tokens: 1, messages: [userTurn("x")], tools: listOf({}) }],
    ["input[0].role", responsesRequestSchema, { input: listOf({}) }],
    [
      "input[0].content[0].text",
      responsesRequestSchema,
      { input: [{ role: "user", content: listOf({ type: "input_text" }) }] },
    ],
    ["input[0].type", moderationRequestSchema, { input: listOf({}) }],
  ])("is checked up to the first one, %s", (param, schema, fields) => {
    expect(() => validate(schema, { model: "m", ...fields })).toThrow(expect.objectContaining({ details: { param } }));
  });

  test("is looked at for nulls up to its thousandth one", () => {
    const schema = z.strictObject({ list: z.array(z.strictObject({ a: z.string().optional() })) });
    const { list } = removeRefusedNulls(schema, { list: Array.from({ length: 1_001 }, () => ({ a: null })) }) as {
      list: readonly object[];
    };
    expect([list[0], list[999], list[1_000]]).toEqual([{}, {}, { a: null }]);
  });
});
