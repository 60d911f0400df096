import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { loggedError } from "../../../gateway/core/logged-error.ts";

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("Nothing was thrown.");
}

const SECRET = "my diary of today";

it.each<[string, () => unknown, string]>([
  ["a parser", () => JSON.parse(SECRET), "SyntaxError"],
  ["a header", () => new Headers({ a: `${SECRET}\n\u0000` }), "TypeError"],
  ["a library", () => Reflect.construct(Buffer, []).write(SECRET, SECRET), "TypeError ERR_INVALID_ARG_TYPE"],
  ["whoever throws a text", () => Promise.reject(SECRET), ""],
  [
    "lines that look like places",
    () => {
      throw new Error(`${SECRET}\n    at ${SECRET} (/${SECRET}.ts:1:1)\n`);
    },
    "Error",
  ],
  [
    "a name",
    () => {
      throw Object.assign(new Error("no"), { name: SECRET, code: SECRET });
    },
    "",
  ],
])("the words of %s are not logged", async (name, work, error) => {
  if (name.startsWith("whoever")) {
    expect(loggedError(SECRET)).toEqual({ error: "string", stack: "" });
    await Promise.resolve(work()).catch(() => undefined);
    return;
  }
  const logged = loggedError(thrownBy(work));
  expect(JSON.stringify(logged)).not.toContain("diary");
  expect(logged.error).toContain(error);
});

it("where it happened is logged", () => {
  const { stack } = loggedError(thrownBy(() => JSON.parse(SECRET)));
  expect(stack.split("\n")[0]).toMatch(/^ {4}at JSON\.parse|logged-error\.test\.ts:\d+:\d+/);
  expect(stack).toContain("logged-error.test.ts");
});

it("words of ours and of the operating system are logged", () => {
  expect(loggedError(new GatewayError("internal_error", "The shelf is empty."))).toMatchObject({
    message: "The shelf is empty.",
  });
  expect(loggedError(thrownBy(() => readFileSync("/nowhere")))).toMatchObject({
    error: "Error ENOENT",
    message: expect.stringContaining("no such file") as string,
  });
});

it("no text gets into it by a message", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("\n", "    at ", "x", "secret", " (", "/a.ts:1:1", ")")), (pieces) => {
      const message = pieces.join("");
      const { stack, message: words } = loggedError(new Error(message));
      expect(words).toBeUndefined();
      expect(stack).not.toContain("secret");
    }),
  );
});
