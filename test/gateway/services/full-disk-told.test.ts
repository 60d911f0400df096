import { afterEach, beforeEach, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import { FullDisk } from "../../support/full-disk.ts";
import { startGateway, until, type TestGateway } from "../../support/running-gateway.ts";

let disk: FullDisk;
let postern: TestGateway;
beforeEach(async () => {
  disk = new FullDisk().install();
  postern = await startGateway();
});
afterEach(async () => {
  disk.free();
  await postern.close();
  disk.remove();
});

it("a disk that refuses writes is told to everybody who shows the state, and so is that it takes them again", async () => {
  const heard: State["status"][] = [];
  postern.gateway.events.subscribe(({ type }) => {
    if (type === "settings.changed") heard.push(postern.gateway.state().status);
  });
  disk.fill();
  expect((await postern.control("POST", "/keys", { name: "refused" })).status).toBe(503);
  await until(() => heard.includes("storage"));
  disk.free();
  await until(() => heard.at(-1) === "running");
  expect(heard).toStrictEqual(["storage", "running"]);
});
