/** Spellings of hosts that nothing but the owner's own word may reach. */

/** Every block that is not global unicast, by its edges and its best known addresses. */
export const PRIVATE_V4: readonly string[] = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.254 100.64.0.1 100.100.100.200 100.127.255.254 127.0.0.1 127.8.9.1 168.63.129.16
  169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.9 192.88.99.1 198.18.0.1 198.19.255.255
  198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
`
  .trim()
  .split(/\s+/);

export const PRIVATE_V6: readonly string[] = `
  :: ::1 ::7f00:1 0:0:0:0:0:0:0:1 ::ffff:0:7f00:1 64:ff9b::808:808 64:ff9b:1::7f00:1 100::1 2001::1 2001:db8::1
  2001:20::1 2002:808:808:: 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fd20:ce::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1
`
  .trim()
  .split(/\s+/);

const NAMES: readonly string[] = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "ｌｏｃａｌｈｏｓｔ",
  "%6cocalhost",
  "①②⑦.0.0.1",
];

const FULL_WIDTH_ZERO = 0xff10;

/** The ways in which URL parsers and `inet_aton` let one IPv4 address be written, and the IPv6 ones that carry it. */
function spellingsOf(address: string): readonly string[] {
  const bytes = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = number.toString(16).padStart(8, "0");
  const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex}`,
    `0${number.toString(8)}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    address.replace(/\d/g, (digit) => String.fromCharCode(FULL_WIDTH_ZERO + Number(digit))),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(".", "。"),
    address.replace(".", "\t."),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${groups}]`,
    `[64:ff9b::${groups}]`,
    `[2002:${groups}::]`,
  ];
}

/** More than 400 hosts, as they would stand in a URL. */
export const privateHosts: readonly string[] = [
  ...PRIVATE_V4.flatMap(spellingsOf),
  ...PRIVATE_V6.map((address) => `[${address}]`),
  ...NAMES,
];
