import { afterEach, describe, expect, it, vi } from "vitest";
import { createSession, takeTokenFromAddress, tokenFrom, type SessionDeps } from "../../../renderer/api/session.ts";
import { createTabBearer } from "../../../renderer/api/tab-bearer.ts";
import type { DesktopBridge } from "../../../renderer/bridge.ts";

/** A gateway that takes each token once. */
function gatewayWith(...tokens: string[]) {
  const left = new Set(tokens);
  const seen: string[] = [];
  const response: typeof fetch = async (path, init) => {
    seen.push(JSON.stringify(path));
    const given = typeof init?.body === "string" ? (JSON.parse(init.body) as { token?: string }) : {};
    if (path === "/control/session" && left.delete(given.token ?? "")) {
      return Response.json({ bearer: `bearer-of-${given.token}` });
    }
    const error = { message: "The token was used already.", type: "t", param: null, code: "invalid_control_token" };
    return Response.json({ error }, { status: 401 });
  };
  return { fetch: response, seen };
}

/** What a tab keeps over a reload. */
function tabWith(bearer: string | null) {
  const tab = {
    bearer,
    read: () => tab.bearer,
    write: (next: string | null) => {
      tab.bearer = next;
    },
    ask: () => Promise.resolve<string | null>(null),
    share: () => undefined,
    announce: () => undefined,
  };
  return tab;
}

const deps = (change: Partial<SessionDeps>): SessionDeps => ({
  desktop: undefined,
  takeToken: () => null,
  tab: tabWith(null),
  ...change,
});

it("exchanges the token of the address for a bearer", async () => {
  const session = createSession(deps({ takeToken: () => "t1", fetch: gatewayWith("t1").fetch }));
  expect(session.state()).toEqual({ status: "opening" });
  await session.start();
  expect([session.state(), session.bearer()]).toEqual([{ status: "open" }, "bearer-of-t1"]);
});

it("stays closed without a token, and sends no request", async () => {
  const gateway = gatewayWith();
  const session = createSession(deps({ fetch: gateway.fetch }));
  await session.start();
  expect([session.state(), gateway.seen]).toEqual([{ status: "closed", reason: "no_token", message: null }, []]);
});

it("says in the gateway's words why a token was refused", async () => {
  const session = createSession(deps({ takeToken: () => "used", fetch: gatewayWith().fetch }));
  await session.start();
  expect(session.state()).toEqual({ status: "closed", reason: "refused", message: "The token was used already." });
});

it("tells a gateway that does not answer", async () => {
  const session = createSession(deps({ takeToken: () => "t1", fetch: () => Promise.reject(new TypeError("no")) }));
  await session.start();
  expect(session.state()).toMatchObject({ status: "closed", reason: "unreachable" });
});

it("ends when its bearer is refused, and forgets it", async () => {
  const session = createSession(deps({ takeToken: () => "t1", fetch: gatewayWith("t1").fetch }));
  await session.start();
  await expect(session.client.call("state")).rejects.toThrow("The token was used already.");
  expect([session.state(), session.bearer()]).toEqual([{ status: "closed", reason: "ended", message: null }, null]);
});

describe("after a reload of the tab", () => {
  const knows =
    (status: number): typeof fetch =>
    async () =>
      Response.json({ error: { message: "No.", type: "t", param: null, code: "c" } }, { status });

  it("goes on with the bearer that the tab has kept", async () => {
    const tab = tabWith(null);
    await createSession(deps({ tab, takeToken: () => "t1", fetch: gatewayWith("t1").fetch })).start();
    const session = createSession(deps({ tab, fetch: knows(503) }));
    await session.start();
    expect([session.state(), session.bearer()]).toEqual([{ status: "open" }, "bearer-of-t1"]);
  });

  it("is closed, and the tab keeps nothing, when the gateway does not know the bearer", async () => {
    const tab = tabWith("of-an-earlier-start");
    const session = createSession(deps({ tab, fetch: knows(401) }));
    await session.start();
    expect(session.state()).toEqual({ status: "closed", reason: "ended", message: null });
    expect([session.bearer(), tab.bearer]).toEqual([null, null]);
  });

  it("keeps the bearer for the next reload when no one responds", async () => {
    const tab = tabWith("b1");
    const session = createSession(deps({ tab, fetch: () => Promise.reject(new TypeError("no")) }));
    await session.start();
    expect(session.state()).toMatchObject({ status: "closed", reason: "unreachable" });
    expect(tab.bearer).toBe("b1");
  });

  it("takes a token of the address before what the tab has kept, and keeps nothing when it is refused", async () => {
    const tab = tabWith("b1");
    const session = createSession(deps({ tab, takeToken: () => "used", fetch: gatewayWith().fetch }));
    await session.start();
    expect([session.state().status, tab.bearer]).toEqual(["closed", null]);
  });
});

describe("several tabs of one browser", () => {
  const channels: BroadcastChannel[] = [];
  afterEach(() => {
    for (const channel of channels.splice(0)) channel.close();
  });
  const name = crypto.randomUUID();
  /** A tab with storage of its own. */
  function openTab(stored: string | null = null): SessionDeps["tab"] {
    const channel = new BroadcastChannel(name);
    channels.push(channel);
    const { read, write } = tabWith(stored);
    return { ...createTabBearer(channel, 50), read, write };
  }
  /** A gateway that knows one bearer. */
  const knowing =
    (bearer: string): typeof fetch =>
    async (path, init) =>
      path === "/control/session"
        ? Response.json({ bearer })
        : new Response(null, {
            status: new Headers(init?.headers).get("authorization") === `Bearer ${bearer}` ? 500 : 401,
          });
  const whenOpen = (session: ReturnType<typeof createSession>): Promise<void> =>
    new Promise((resolve) => session.subscribe(() => void (session.state().status === "open" && resolve())));

  it("share a session: the second opens with that of the first", async () => {
    const first = createSession(deps({ tab: openTab(), takeToken: () => "t1", fetch: knowing("b1") }));
    await first.start();
    const second = createSession(deps({ tab: openTab(), fetch: knowing("b1") }));
    await second.start();
    expect([second.state(), second.bearer()]).toEqual([{ status: "open" }, "b1"]);
  });

  it("open again where one of them gets a new link", async () => {
    const waiting = createSession(deps({ tab: openTab("of-an-earlier-start"), fetch: knowing("b2") }));
    await waiting.start();
    expect(waiting.state()).toMatchObject({ status: "closed", reason: "ended" });
    const opened = whenOpen(waiting);
    const other = createSession(deps({ tab: openTab(), takeToken: () => "t2", fetch: knowing("b2") }));
    await other.start();
    await opened;
    expect(waiting.bearer()).toBe("b2");
  });

  it("get nothing from a tab whose session ended, nor what the gateway refuses", async () => {
    const ended = createSession(deps({ tab: openTab("b3"), fetch: knowing("other") }));
    await ended.start();
    const second = createSession(deps({ tab: openTab(), fetch: knowing("other") }));
    await second.start();
    expect(second.state()).toMatchObject({ status: "closed", reason: "no_token" });
    const liar = new BroadcastChannel(name);
    channels.push(liar);
    liar.addEventListener("message", ({ data }) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
      liar.postMessage({ reply: (data as { ask?: string }).ask, bearer: "wrong" }),
    );
    const third = createSession(deps({ tab: openTab(), fetch: knowing("other") }));
    await third.start();
    expect([third.state(), third.bearer()]).toEqual([{ status: "closed", reason: "ended", message: null }, null]);
  });
});

it("does not open again what a token has opened while the bearer of the tab was asked for", async () => {
  const arrived = Promise.withResolvers<Response>();
  const { fetch } = gatewayWith("t1");
  const session = createSession(
    deps({
      tab: tabWith("b1"),
      fetch: async (path, init) => (path === "/control/session" ? fetch(path, init) : arrived.promise),
    }),
  );
  const started = session.start();
  await session.open("t1");
  const events: string[] = [];
  session.subscribe(() => void events.push(session.state().status));
  arrived.resolve(Response.json({ error: { message: "No.", type: "t", param: null, code: "c" } }, { status: 503 }));
  await started;
  expect([events, session.bearer()]).toEqual([[], "bearer-of-t1"]);
});

it.each([
  ["#token=abc%20d", "abc d", ["/pages?theme=dark"]],
  ["#token=%E0%A4%A", null, ["/pages?theme=dark"]],
  ["#token=", null, []],
  ["#section", null, []],
  ["", null, []],
])("takes the token out of an address with %j: %j", (hash, token, replaced) => {
  const seen: unknown[] = [];
  vi.stubGlobal("location", { hash, pathname: "/pages", search: "?theme=dark" });
  vi.stubGlobal("history", { replaceState: (...[, , path]: unknown[]) => void seen.push(path) });
  expect([takeTokenFromAddress(), seen]).toEqual([token, replaced]);
});

describe("in the desktop app", () => {
  const unasked = () => Promise.reject(new Error("not asked for here"));
  const desktop = (tokens: string[]): DesktopBridge => ({
    platform: "linux",
    openPages: async () => {
      const token = tokens.shift();
      if (token === undefined) throw new Error("the app is quitting");
      return { token };
    },
    consentToExport: unasked,
    showFile: unasked,
    dragFiles: unasked,
    onDownload: () => () => undefined,
    showDownload: unasked,
    openDataFolder: unasked,
    setAppearance: unasked,
    autostart: unasked,
    setAutostart: unasked,
    closeToTray: unasked,
    setCloseToTray: unasked,
    updates: unasked,
    checkForUpdates: unasked,
    installUpdate: unasked,
    restart: unasked,
  });

  it("opens by itself, also after a reload, and keeps nothing in the window", async () => {
    const tab = tabWith(null);
    const session = createSession(deps({ tab, desktop: desktop(["d1"]), fetch: gatewayWith("d1").fetch }));
    await session.start();
    expect([session.bearer(), tab.bearer]).toEqual(["bearer-of-d1", null]);
  });

  it("opens again by itself when a session ended", async () => {
    const session = createSession(deps({ desktop: desktop(["d1", "d2"]), fetch: gatewayWith("d1", "d2").fetch }));
    await session.start();
    const reopened = new Promise<void>((resolve) => {
      session.subscribe(() => session.bearer() === "bearer-of-d2" && resolve());
    });
    session.end();
    await reopened;
    expect(session.state()).toEqual({ status: "open" });
  });

  it("closes when the app gives no token", async () => {
    const session = createSession(deps({ desktop: desktop([]), fetch: gatewayWith().fetch }));
    await session.start();
    expect(session.state()).toMatchObject({ status: "closed", reason: "unreachable" });
  });
});

it.each([
  ["http://127.0.0.1:6174/#token=abc_DEF-123", "abc_DEF-123"],
  ["  http://127.0.0.1:6174/#token=abc%2B1 \n", "abc+1"],
  ["#token=abcdefgh", "abcdefgh"],
  ["abcdefgh_-1", "abcdefgh_-1"],
  ["http://127.0.0.1:6174/", null],
  ["#token=%E0%A4%A", null],
  ["short", null],
  ["", null],
])("finds the token of %s", (text, token) => {
  expect(tokenFrom(text)).toBe(token);
});
