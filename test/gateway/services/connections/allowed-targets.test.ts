import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../../../gateway/services/connections/environment.ts";

function read(value: string | undefined): { targets: string[]; problems: readonly string[] } {
  const { allowedTargets, problems } = readEnvironment({ POSTERN_ALLOW_TARGETS: value });
  return { targets: [...allowedTargets], problems };
}

describe("POSTERN_ALLOW_TARGETS", () => {
  it.each([undefined, "", " , "])("allows nothing when it is %j", (value) => {
    expect(read(value)).toEqual({ targets: [], problems: [] });
  });

  it("is a list of host:port pairs", () => {
    expect(read("127.0.0.1:3000, nas.local:9000,[fd00::5]:80")).toEqual({
      targets: ["127.0.0.1:3000", "nas.local:9000", "[fd00::5]:80"],
      problems: [],
    });
  });

  it.each([
    "169.254.169.254:80",
    "[fe80::1]:80",
    "100.100.100.200:80",
    "[fd00:ec2::254]:80",
    "[::ffff:169.254.169.254]:80",
    "2852039166:80",
    "0.0.0.0:80",
  ])("ignores %s with a warning and keeps the rest", (entry) => {
    const { targets, problems } = read(`10.0.0.5:8080,${entry}`);
    expect(targets).toEqual(["10.0.0.5:8080"]);
    expect(problems).toEqual([
      "Entry 1 of POSTERN_ALLOW_TARGETS was ignored: link-local and metadata addresses are never reached.",
    ]);
  });

  it.each(["127.0.0.1", "http://127.0.0.1:3000", "a b:1", "10.0.0.0/8"])("ignores %s, which is no pair", (entry) => {
    const { targets, problems } = read(entry);
    expect(targets).toEqual([]);
    expect(problems).toEqual(["Entry 0 of POSTERN_ALLOW_TARGETS was ignored: it must be host:port."]);
  });
});
