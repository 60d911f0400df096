import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PRESETS } from "../../../gateway/services/connections/presets.ts";
import { providers } from "../../../gateway/providers/registry.ts";
import { getLinkAmong, readLink, listShortArguments } from "../../../main/policy/deep-link.ts";
import { routeFragment } from "../../../main/policy/page-route.ts";

const fragmentOf = (link: string): string => {
  const response = readLink(link);
  return response.kind === "open" ? routeFragment(response.route) : `refused: ${response.problem}`;
};

describe("a link of ours", () => {
  it.each([
    ["postern://open?page=tasks&id=vt_01JABC", "#/tasks?task=vt_01JABC"],
    [
      "postern://open?page=requests&id=req_0f8fad5b-d9cb-469f-a165-70867728950e",
      "#/requests?id=req_0f8fad5b-d9cb-469f-a165-70867728950e",
    ],
    ["postern://open?page=library&id=media_1", "#/library?media=media_1"],
    ["postern://open/?page=usage", "#/usage"],
    ["POSTERN://open?page=keys", "#/keys"],
    ["postern://connect?provider=openai", "#/connections?link=connect&provider=openai"],
    // As links of earlier versions say it.
    ["postern://connect?vendor=openai", "#/connections?link=connect&provider=openai"],
    [
      "postern://connect?provider=openai-compatible&base_url=https%3A%2F%2Fllm.example.com%2Fv1&name=My+server",
      "#/connections?link=connect&provider=openai-compatible&base_url=https%3A%2F%2Fllm.example.com%2Fv1&name=My+server",
    ],
    [
      "postern://connect?provider=openai-compatible&base_url=http://127.0.0.1:11434/v1/",
      "#/connections?link=connect&provider=openai-compatible&base_url=http%3A%2F%2F127.0.0.1%3A11434%2Fv1",
    ],
    [
      "postern://connect?provider=openai-compatible&base_url=http://[::1]:8080",
      "#/connections?link=connect&provider=openai-compatible&base_url=http%3A%2F%2F%5B%3A%3A1%5D%3A8080",
    ],
    // What looks like a known host is shown as what it is.
    [
      `postern://connect?provider=openai-compatible&base_url=${encodeURIComponent("https://api.оpenai.com/v1")}`,
      "#/connections?link=connect&provider=openai-compatible&base_url=https%3A%2F%2Fapi.xn--penai-iye.com%2Fv1",
    ],
    [
      "postern://connect?provider=dashscope&base_url=https://dashscope.aliyuncs.com",
      "#/connections?link=connect&provider=dashscope&base_url=https%3A%2F%2Fdashscope.aliyuncs.com",
    ],
    ["postern://key?name=Laptop%20of%20Ann", "#/keys?link=key&name=Laptop+of+Ann"],
    ["postern://key", "#/keys?link=key"],
  ])("%s leads to %s", (link, expected) => {
    expect(fragmentOf(link)).toBe(expected);
  });
});

describe("what a link may not be", () => {
  const schemes =
    "http https file ftp ftps data javascript vbscript blob about chrome chrome-extension devtools view-source mailto " +
    "tel sms ssh git git+ssh ws wss ldap smb nfs jar intent market ms-msdt ms-settings search-ms vscode cursor slack " +
    "steam itms-services x-apple.systempreferences postern.evil posternx apostern electron app";

  it.each(schemes.split(" "))("nothing is followed of the scheme %s", (scheme) => {
    for (const rest of ["//open?page=keys", ":open?page=keys", "//connect?provider=openai"]) {
      expect(readLink(`${scheme}:${rest}`)).toStrictEqual({ kind: "refused", problem: "unknown" });
    }
  });

  it.each([
    ["", "unknown"],
    ["postern:", "unknown"],
    ["postern://", "unknown"],
    ["postern:open?page=keys", "unknown"],
    ["postern:///open?page=keys", "unknown"],
    ["postern://quit", "unknown"],
    ["postern://constructor", "unknown"],
    ["postern://__proto__?page=keys", "unknown"],
    ["postern://Open?page=keys", "unknown"],
    ["postern://open:80?page=keys", "unknown"],
    ["postern://a@open?page=keys", "unknown"],
    ["postern://open/../connect?provider=openai", "unknown"],
    ["postern://open?page=keys#token=x", "unknown"],
    ["postern://open?page=keys\n--data-dir=/x", "unknown"],
    ["postern://open?page=keys --headless", "unknown"],
    ["postern://open?page=schlüssel", "unknown"],
    ["postern://open?page=keys&page=mcp", "unknown"],
    ["postern://open?page=keys&create=1", "unknown"],
    ["postern://open?p%61ge=keys", "unknown"],
    ["postern://open", "value"],
    ["postern://open?page=", "value"],
    ["postern://open?page", "value"],
    ["postern://open?page=constructor", "value"],
    ["postern://open?page=../keys", "value"],
    ["postern://open?page=usage&id=1", "value"],
    ["postern://open?page=tasks&id=../../etc", "value"],
    ["postern://open?page=tasks&id=a%26b", "value"],
    ["postern://open?page=tasks&id=%", "value"],
    ["postern://open?page=tasks&id=%ff", "value"],
    ["postern://open?page=%256b%2565ys", "value"],
    ["postern://key?name=%00", "value"],
    ["postern://key?name=a%E2%80%AEb", "value"],
    ["postern://key?name=%0Ab", "value"],
    ["postern://key?name=%3Cscript%3E", "value"],
    ["postern://key?name=++", "value"],
    [`postern://key?name=${"a%20".repeat(60)}`, "value"],
    ["postern://connect", "value"],
    ["postern://connect?provider=evil", "value"],
    ["postern://connect?provider=openai&base_url=http://example.com/v1", "address"],
    ["postern://connect?provider=openai&base_url=http://127.0.0.1.evil.example/v1", "address"],
    ["postern://connect?provider=openai&base_url=javascript:alert(1)", "address"],
    ["postern://connect?provider=openai&base_url=file:///etc/passwd", "address"],
    ["postern://connect?provider=openai&base_url=//example.com", "address"],
    ["postern://connect?provider=openai&base_url=https:example.com", "address"],
    ["postern://connect?provider=openai&base_url=https://a:b@example.com", "address"],
    ["postern://connect?provider=openai&base_url=https://example.com%2F%3Fx%3D1", "address"],
    ["postern://connect?provider=openai&base_url=https://example.com%20.evil", "address"],
    [`postern://connect?provider=openai&base_url=https://example.com/${"a/".repeat(260)}`, "address"],
    ["postern://connect?provider=openai&base_url=https://evil.example/v1", "notItsHome"],
    ["postern://connect?provider=openai&base_url=https://api.openai.com.evil.example/v1", "notItsHome"],
    ["postern://connect?provider=openai&base_url=https://evilapi.openai.com.example/v1", "notItsHome"],
    [`postern://connect?provider=openai&base_url=${encodeURIComponent("https://api.оpenai.com/v1")}`, "notItsHome"],
    ["postern://connect?provider=openai&base_url=https://api.openai.com:8443/v1", "notItsHome"],
    ["postern://connect?provider=anthropic&base_url=https://api.openai.com/v1", "notItsHome"],
    ["postern://connect?provider=anthropic&base_url=http://127.0.0.1:8080", "notItsHome"],
    ["postern://connect?provider=dashscope&base_url=https://bucket.oss.aliyuncs.com", "notItsHome"],
    ["postern://connect?provider=openai&key=abc", "secret"],
    ["postern://connect?provider=openai&api_key=abc", "secret"],
    ["postern://connect?provider=openai&TOKEN=abc", "secret"],
    ["postern://key?secret=abc", "secret"],
    ["postern://key?name=sk-0123456789abcdef", "secret"],
    ["postern://key?name=%73k-0123456789abcdef", "secret"],
    ["postern://key?name=AIzaSyA1234567890abc", "secret"],
    ["postern://connect?provider=openai&base_url=https://example.com/sk-0123456789abcdef/v1", "secret"],
    ["postern://key?name=a9f3k2m8x7q1z5w4v6b0n3c2l8j7h4g1", "secret"],
    [`postern://key?name=${"a".repeat(100_000)}`, "tooLong"],
    [`postern://connect?provider=openai&base_url=https://${"a.".repeat(50_000)}com`, "tooLong"],
  ])("%j is refused: %s", (link, problem) => {
    expect(readLink(link)).toStrictEqual({ kind: "refused", problem });
  });

  it("never throws, never leads elsewhere, and shows values only as values, whatever it is made of", () => {
    const action = fc.constantFrom("open", "connect", "key", "quit");
    const pair = fc.tuple(
      fc.constantFrom("page", "id", "provider", "base_url", "name", "key"),
      fc.string({ unit: "binary" }),
    );
    const made = fc
      .tuple(action, fc.array(pair, { maxLength: 5 }))
      .map(([host, pairs]) => `postern://${host}?${pairs.map(([n, v]) => `${n}=${encode(v)}`).join("&")}`);
    fc.assert(
      fc.property(fc.oneof(made, fc.string({ unit: "binary" }), fc.webUrl()), (link) => {
        const response = readLink(link);
        if (response.kind === "refused") return;
        expect([
          "overview",
          "models",
          "connections",
          "keys",
          "usage",
          "requests",
          "tasks",
          "library",
          "playground",
          "clients",
          "mcp",
          "settings",
        ]).toContain(response.route.page);
        const { params = {} } = response.route;
        expect(Object.keys(params).every((name) => /^(link|provider|base_url|name|id|task|media)$/.test(name))).toBe(
          true,
        );
        const read = new URLSearchParams(routeFragment(response.route).split("?")[1] ?? "");
        expect(Object.fromEntries(read)).toStrictEqual({ ...params });
      }),
      { numRuns: 500 },
    );
  });
});

/** Lone surrogates have no encoding. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "%ED%A0%80";
  }
}

it.each([
  [["postern"], null],
  [["postern://key"], null],
  [["postern", "--hidden", "--", "postern://key"], "postern://key"],
  [["electron", "out/main/index.mjs", "https://postern.example"], null],
  [["postern", "Postern:x", "postern://key"], "Postern:x"],
])("among %j the link is %j", (argv, expected) => {
  expect(getLinkAmong(argv)).toBe(expected);
});

describe("the home of a provider", () => {
  const homes = [
    ...Object.values(providers).flatMap(({ id, defaultBaseUrl: url }) => (url === null ? [] : [[id, url] as const])),
    ...PRESETS.map(({ provider, base_url: url }) => [provider, url] as const),
    ["voyage", "https://ai.mongodb.com/v1"] as const,
    ["ark", "https://ark.ap-southeast.bytepluses.com/api/v3"] as const,
  ];

  it.each(homes.filter(([, url]) => url.startsWith("https:")))(
    "of %s is at %s, and a link may say so",
    (provider, url) => {
      expect(readLink(`postern://connect?provider=${provider}&base_url=${encodeURIComponent(url)}`).kind).toBe("open");
    },
  );
});

describe("what is handed on to the Postern that runs", () => {
  const own = ["postern", "--data-dir", "/d", "--"];

  it("is what this one was started with, where that is short", () => {
    for (const argv of [["postern"], [...own, "postern://key"], [...own, `postern://key?name=${"a".repeat(10_000)}`]]) {
      expect(listShortArguments(argv)).toBe(argv);
    }
  });

  it("has long links cut, which are refused for it all the same", () => {
    const short = listShortArguments([...own, `POSTERN://key?name=${"é".repeat(20_000)}`])!;
    expect(short.slice(0, -1)).toStrictEqual(own);
    expect(readLink(short.at(-1)!)).toStrictEqual({ kind: "refused", problem: "tooLong" });
    expect(Buffer.byteLength(short.join(" "))).toBeLessThan(16 * 1_024);
    expect(listShortArguments(short)).toBe(short);
  });

  it("is nothing where it is long by itself", () => {
    expect(listShortArguments(["postern", "--data-dir", `/${"a".repeat(20_000)}`])).toBeNull();
    expect(
      listShortArguments(["postern", "--", ...Array<string>(10).fill(`postern://${"a".repeat(3_000)}`)]),
    ).toBeNull();
  });
});
