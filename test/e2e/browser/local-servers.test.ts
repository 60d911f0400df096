import { expect, it } from "vitest";
import type { LocalServerView } from "../../../gateway/contract/local-servers.ts";
import { axeFindings } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { useFakePages } from "./page-suite.ts";

/** What the Connections page asks before it sends anything to where nothing was sent before. */
const OLLAMA: LocalServerView = {
  id: "local_ollama_11434",
  kind: "ollama",
  name: "Ollama",
  base_url: "http://127.0.0.1:11434/v1",
  state: "offered",
  present: true,
  user: { uid: 1000, name: "ada", other: false },
};
const FOREIGN: LocalServerView = {
  ...OLLAMA,
  id: "local_lm-studio_1234",
  kind: "lm-studio",
  name: "LM Studio",
  base_url: "http://127.0.0.1:1234/v1",
  user: { uid: 1001, name: "mallory", other: true },
};

let servers: LocalServerView[];
const bodies: unknown[] = [];
const pages = useFakePages((fake) => {
  servers = [OLLAMA, FOREIGN];
  bodies.length = 0;
  fake.serve = async (incoming, outgoing, { pathname }) => {
    const response = (body: unknown): boolean => {
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return true;
    };
    if (pathname === "/control/local-servers") return response({ data: servers });
    const [, id, decision] = /^\/control\/local-servers\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (id === undefined) return false;
    let text = "";
    for await (const part of incoming) text += String(part);
    bodies.push(text === "" ? {} : JSON.parse(text));
    const state = decision === "use" ? "used" : decision === "refuse" ? "refused" : "offered";
    servers = servers.map((server) => (server.id === id ? { ...server, state } : server));
    return response(decision === "use" ? fake.connections[0] : { ok: true });
  };
}, "connections");

it("offers what runs on this machine, and uses it once its owner says so", async () => {
  const page = await pages.open();
  const found = page.getByRole("region", { name: "Detected on this machine" });
  await found.getByText("Run by another user (mallory), who can read what you send.").waitFor();
  expect(await axeFindings(page, "main")).toEqual([]);
  await found.getByRole("button", { name: "Use Ollama" }).click();
  await found.getByText("Ollama", { exact: true }).waitFor({ state: "detached" });
  await found.getByRole("button", { name: "Use LM Studio of mallory" }).click();
  await found.waitFor({ state: "detached" });
  expect(bodies).toEqual([{ other_user: false }, { other_user: true }]);
});

it("does not offer again what was refused, until it is asked to", async () => {
  servers = [OLLAMA];
  const page = await pages.open();
  const found = page.getByRole("region", { name: "Detected on this machine" });
  await found.getByRole("button", { name: "Don’t offer again" }).click();
  await found.getByRole("button", { name: "Offer again" }).click();
  await found.getByRole("button", { name: "Use Ollama" }).waitFor();
  expect(pages.fake.seen.filter((route) => route.includes("local-servers/"))).toEqual([
    `POST /control/local-servers/${OLLAMA.id}/refuse`,
    `DELETE /control/local-servers/${OLLAMA.id}`,
  ]);
});

it("asks for the key again where a connection moves to another address", async () => {
  const page = await pages.open();
  const { name, id, base_url: before } = movable();
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByLabel("Provider key").count()).toBe(0);
  await dialog.getByLabel("Base URL").fill("http://elsewhere.example/v1");
  await dialog.getByText(`was given for ${new URL(before).origin}`).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Type the provider key.").waitFor();
  await dialog.getByLabel("Provider key").fill("sk-for-elsewhere");
  pages.fake.responses.set(
    `PATCH /control/connections/${id}`,
    refusal(400, "elsewhere.example is on no private network.", "invalid_value", "allow_http"),
  );
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByLabel("Send keys and prompts unencrypted all the same").waitFor();
});

function movable() {
  const found = pages.fake.connections.find(({ origin }) => origin === "created");
  if (found === undefined) throw new Error("no connection of the owner's");
  return found;
}
