import { expect, it } from "vitest";
import { createConnectionSchema } from "../../../gateway/contract/connection.ts";
import { setupSchema } from "../../../gateway/contract/setup.ts";
import { setSearchKeySchema } from "../../../gateway/contract/search.ts";
import { readEnvironment } from "../../../gateway/services/connections/environment.ts";

/** Keys as people paste them: from web pages, chats, files and headers. */

const KEY = "sk-proj_A.b+c/d=1";
const seen = {
  page: (key: string) =>
    createConnectionSchema.safeParse({ provider: "openai", name: "a", keys: [key] }).data?.keys?.[0],
  search: (key: string) => setSearchKeySchema.safeParse({ provider: "brave", key }).data?.key,
  file: (key: string) => setupSchema.safeParse({ keys: [{ name: "a", secret: key }] }).data?.keys?.[0]?.secret,
  environment: (key: string) => readEnvironment({ POSTERN_OPENAI_API_KEY: key }).connections[0]?.keys[0],
  local: (key: string) => readEnvironment({ POSTERN_API_KEY: key }).keys[0]?.secret,
  list: (key: string) => readEnvironment({ POSTERN_KEYS: JSON.stringify([{ key, name: "a" }]) }).keys[0]?.secret,
};

it.each([
  KEY,
  ` ${KEY}\r\n`,
  `\uFEFF${KEY}`,
  `${KEY}\u200B`,
  `sk-proj_A\u200B.b\u00AD+c/d=1`,
  `\u00A0${KEY}\u2003`,
  `\u202A${KEY}\u202C`,
  `"${KEY}"`,
  `'${KEY}' `,
  `“${KEY}”`,
  `\`${KEY}\``,
  `Bearer ${KEY}`,
  `"Authorization: bearer  ${KEY}"`,
  `Bearer "${KEY}"`,
])("the key in %j is taken everywhere as it was meant", (text) => {
  expect(Object.values(seen).map((read) => read(text))).toEqual(Object.values(seen).map(() => KEY));
});

it.each([
  "sk-proj one",
  "sk-proj-a\nsk-proj-b",
  "sk-proj\u00A0one",
  "sk-proj-1234…",
  "sk-projé-1234",
  "sk-proj-\u0007-12",
])("%j is no key, and is refused everywhere with what to do", (text) => {
  expect(Object.values(seen).map((read) => read(text))).toEqual(Object.values(seen).map(() => undefined));
  const { error } = createConnectionSchema.safeParse({ provider: "openai", name: "a", keys: [text] });
  expect(error?.issues[0]).toMatchObject({ path: ["keys", 0], message: expect.stringContaining("copy it again") });
  expect(readEnvironment({ POSTERN_OPENAI_API_KEY: text }).problems).toEqual([
    expect.stringMatching(/^A key of POSTERN_OPENAI_API_KEY was ignored: .*copy it again/),
  ]);
});
