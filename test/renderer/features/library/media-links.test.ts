import { describe, expect, it } from "vitest";
import { ownLink } from "../../../../renderer/features/library/media-links.ts";

describe("a link of Postern's own", () => {
  it.each([
    `/media/med_1?expires=1795397369&signature=${"0a".repeat(32)}`,
    "/media/med_1/poster?expires=1795397369&signature=ab",
    "/media/export/Zm9v-YmFy_",
  ])("is %s", (link) => {
    expect(ownLink(link)).toBe(link);
  });

  const schemes =
    "javascript data vbscript file blob filesystem about http https ftp ws wss mailto tel sms chrome devtools " +
    "view-source ms-msdt search-ms ms-officecmd vscode ssh telnet smb jar intent itms-apps steam slack zoommtg " +
    "skype facetime magnet bitcoin gopher ldap irc news x-apple.systempreferences";

  it.each(schemes.split(" "))("has no scheme, as %s:", (scheme) => {
    for (const link of [
      `${scheme}:alert(1)`,
      `${scheme}://example.com/`,
      `${scheme.toUpperCase()}:/media/med_1`,
      ` ${scheme}:x`,
    ])
      expect(ownLink(link)).toBeNull();
  });

  it.each([
    "//example.com/media/med_1",
    "/\\example.com/",
    "\\\\example.com\\",
    "media/med_1",
    "",
    "/\t/example.com",
    "/media/#x",
    "/media/a b",
  ])("is not %j", (link) => {
    expect(ownLink(link)).toBeNull();
  });

  it("is not there where there is no link", () => {
    expect(ownLink(null)).toBeNull();
  });
});
