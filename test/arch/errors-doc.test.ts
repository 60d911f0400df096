import { describe, expect, it } from "vitest";
import { errorRegistry } from "../../gateway/core/errors.ts";
import { filesBelow, readSource } from "./source-tree.ts";

interface Row {
  readonly code: string;
  readonly status: number;
  readonly type: string;
  readonly flat: string;
  readonly anthropic: string;
}

/** The rows of the table in docs/errors.md; a row begins with its code. */
function documentedRows(): Row[] {
  return readSource("docs/errors.md")
    .split("\n")
    .filter((line) => /^\| `\w+` \|/.test(line))
    .map((line) => {
      const [code = "", status = "", type = "", flat = "", anthropic = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim().replaceAll("`", ""));
      return { code, status: Number(status), type, flat, anthropic };
    });
}

describe("docs/errors.md", () => {
  it("has exactly the codes of the registry, in its order, with its status and types", () => {
    const registered = Object.entries(errorRegistry).map(([code, { status, type, flat, anthropic }]): Row => {
      return { code, status, type, flat, anthropic };
    });
    expect(documentedRows()).toEqual(registered);
  });

  it("says when each comes and what to do about it", () => {
    const lines = readSource("docs/errors.md")
      .split("\n")
      .filter((line) => /^\| `\w+` \|/.test(line));
    for (const line of lines) {
      const [when = "", remedy = ""] = line
        .split("|")
        .slice(6)
        .map((cell) => cell.trim());
      expect(when.length, line).toBeGreaterThan(10);
      expect(remedy.length, line).toBeGreaterThan(5);
    }
  });
});

describe("error codes in the code", () => {
  it("are registered, and only the error middleware decides a failing status", () => {
    const deciding = filesBelow("gateway/http", [".ts"]).filter((path) =>
      /\b(?:ctx|context)\.status\s*=\s*[45]\d\d/.test(readSource(path)),
    );
    expect(deciding).toEqual([]);
  });
});
