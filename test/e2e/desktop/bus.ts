import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import dbus from "dbus-native";

/** What an interface of a test answers with: `dbus.defineInterface` makes it. */
export type BusInterface = ReturnType<typeof dbus.defineInterface>;

export interface TestBus {
  /** Puts a program on this bus; by itself it would look for the session's. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers on the bus under a name, until the returned function is called. */
  serve(name: string, path: string, definition: BusInterface): Promise<() => Promise<void>>;
  /**
   * Calls a method.
   * @param signature of the arguments, such as `isvu`.
   * @throws DBusError
   */
  call(to: BusAddress, member: string, signature?: string, ...body: readonly unknown[]): Promise<unknown>;
  /** Every property of an interface. */
  properties(to: BusAddress): Promise<Readonly<Record<string, unknown>>>;
  /** The unique name of the connection that has a name; null for no one. */
  ownerOf(name: string): Promise<string | null>;
  /** Calls back with each name that no one has any more. */
  onGone(listener: (name: string) => void): Promise<void>;
  /** Ends the connection and the bus with it. */
  end(): Promise<void>;
}

export interface BusAddress {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
}

/** Finds a program as a shell does. */
export function hasProgram(name: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why no bus can be had here, or null. */
export const missingBus: string | null = hasProgram("dbus-daemon") ? null : "no dbus-daemon";

/** A session bus without the machine's services: whatever answers on it, a test has put there. */
const configuration = (folder: string): string => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${folder}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** A session bus of the test's own, with one connection for the test. */
export async function startBus(): Promise<TestBus> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bus-"));
  const config = join(folder, "bus.conf");
  await writeFile(config, configuration(folder));
  const daemon = spawn("dbus-daemon", [`--config-file=${config}`, "--nofork", "--nopidfile", "--print-address=1"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(daemon, "exit");
  const [address] = (await once(createInterface({ input: daemon.stdout }), "line")) as [string];
  const client = dbus.createClient({ busAddress: address });
  // The connection ends with the bus; what was being asked then is reported to the one who asked.
  client.connection.on("error", () => undefined);
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    async serve(name, path, definition) {
      const exported = await client.export(path, definition);
      const owned = await client.ownName(name);
      if (!owned.isPrimaryOwner) throw new Error(`Somebody else has ${name}.`);
      return async () => {
        await owned.release();
        await exported.remove();
      };
    },
    call: async (to, member, signature, ...body) =>
      client.invoke({ ...to, member, ...(signature === undefined ? {} : { signature, body: [...body] }) }),
    async properties(to) {
      const found: unknown = await client.invoke({
        ...to,
        interface: "org.freedesktop.DBus.Properties",
        member: "GetAll",
        signature: "s",
        body: [to.interface],
      });
      return found as Record<string, unknown>;
    },
    async ownerOf(name) {
      const found: unknown = await client
        .invoke({
          destination: "org.freedesktop.DBus",
          path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus",
          member: "GetNameOwner",
          signature: "s",
          body: [name],
        })
        .catch(() => null);
      return found as string | null;
    },
    async onGone(listener) {
      await client.addMatch("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'");
      client.connection.on("message", ({ member, body }) => {
        const [name, , owner] = (body ?? []) as string[];
        if (member === "NameOwnerChanged" && owner === "" && name !== undefined) listener(name);
      });
    },
    async end() {
      await client.close();
      daemon.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
