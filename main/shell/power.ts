import { powerMonitor } from "electron";

/** Tells the gateway that the machine woke up: sockets to providers died meanwhile, and due work is late. */
export function passOnResume(resumed: () => void): void {
  powerMonitor.on("resume", resumed);
}
