import { describe, expect, it } from "vitest";
import { getBoolean, createBusCall, getBusSocket, readBus, type BusMessage } from "../../../main/policy/bus-message.ts";

const call = { serial: 7, destination: "org.example.It", path: "/it", interface: "org.example.It", member: "Do" };

/** A message as a bus sends it, without fields in its header. */
function message(kind: number, body: Buffer, isLittle = true): Buffer {
  const header = Buffer.alloc(16);
  header.set([isLittle ? 0x6c : 0x42, kind, 0, 1]);
  if (isLittle) header.writeUInt32LE(body.length, 4);
  else header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}
const yes = Buffer.from([1, 0x62, 0, 0, 1, 0, 0, 0]);

describe("a call on the bus", () => {
  it("has its parts where the protocol wants them", () => {
    const bytes = createBusCall({ ...call, args: ["a", "bcd"] });
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x6c, 1, 2, 1]));
    expect(bytes.readUInt32LE(8)).toBe(7);
    const bodyLength = bytes.readUInt32LE(4);
    // 4 + "a" + NUL, rounded up to 8, then 4 + "bcd" + NUL.
    expect(bodyLength).toBe(16);
    const body = bytes.subarray(-bodyLength);
    expect((bytes.length - bodyLength) % 8).toBe(0);
    expect(body.toString("latin1")).toBe("\u0001\0\0\0a\0\0\0\u0003\0\0\0bcd\0");
    expect(bytes.toString("latin1")).toContain("\u0008\u0001g\0\u0002ss\0");
  });

  it("names no types where there are no arguments", () => {
    const bytes = createBusCall({ ...call, args: [] });
    expect(bytes.readUInt32LE(4)).toBe(0);
    expect(bytes.toString("latin1")).not.toContain("\u0008\u0001g\0");
    expect(readBus(bytes)).toEqual({ messages: [{ kind: "call", body: Buffer.alloc(0) }], rest: Buffer.alloc(0) });
  });
});

describe("what comes from the bus", () => {
  it("is read message by message, however it is cut, in both orders of bytes", () => {
    const stream = Buffer.concat([message(2, yes), message(4, Buffer.from("x")), message(3, Buffer.alloc(5), false)]);
    for (let cut = 0; cut <= stream.length; cut++) {
      const first = readBus(stream.subarray(0, cut));
      const second = readBus(Buffer.concat([first.rest, stream.subarray(cut)]));
      expect([...first.messages, ...second.messages].map(({ kind }) => kind)).toEqual(["response", "signal", "error"]);
      expect(second.rest).toHaveLength(0);
    }
  });

  it("is refused when it is no message, or longer than any may be", () => {
    expect(() => readBus(Buffer.from("HTTP/1.1 400 Bad Request\r\n"))).toThrow("no message");
    const long = message(2, yes);
    long.writeUInt32LE(0xffff_ffff, 4);
    expect(() => readBus(long)).toThrow("no message");
  });

  it.each<[string, BusMessage, boolean | null]>([
    ["true", { kind: "response", body: yes }, true],
    ["false", { kind: "response", body: Buffer.from([1, 0x62, 0, 0, 0, 0, 0, 0]) }, false],
    ["true in the other order", { kind: "response", body: Buffer.from([1, 0x62, 0, 0, 0, 0, 0, 1]) }, true],
    ["a name", { kind: "response", body: Buffer.from("\u0004\0\0\0:1.0\0", "latin1") }, null],
    ["nothing", { kind: "response", body: Buffer.alloc(0) }, null],
    ["a signal", { kind: "signal", body: yes }, null],
  ])("says %s", (_what, given, expected) => {
    expect(getBoolean(given)).toBe(expected);
  });
});

it.each([
  [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus" }, "/run/user/1000/bus"],
  [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/a%20b/bus,guid=0123" }, "/run/a b/bus"],
  [{ DBUS_SESSION_BUS_ADDRESS: "unix:guid=0123,abstract=session-bus" }, "\0session-bus"],
  [{ DBUS_SESSION_BUS_ADDRESS: "tcp:host=127.0.0.1,port=1;unix:path=/b" }, "/b"],
  [{ DBUS_SESSION_BUS_ADDRESS: "unix:path=/%ZZ" }, null],
  [{ DBUS_SESSION_BUS_ADDRESS: "disabled:" }, null],
  [{ DBUS_SESSION_BUS_ADDRESS: "autolaunch:", XDG_RUNTIME_DIR: "/run/user/1" }, null],
  [{ XDG_RUNTIME_DIR: "/run/user/1000" }, "/run/user/1000/bus"],
  [{ XDG_RUNTIME_DIR: "" }, null],
  [{}, null],
])("the session's bus of %j is %j", (env, expected) => {
  expect(getBusSocket(env)).toBe(expected);
});
