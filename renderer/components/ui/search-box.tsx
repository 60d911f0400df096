import { Search } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { replaceParams } from "../../lib/router.ts";

/** Max milliseconds between key presses of one search. */
const REST_MS = 200;

/** The search of the address (`q`), changed once the typing rests. */
export function SearchBox({ q, label }: { readonly q: string; readonly label: string }): ReactNode {
  const [typed, setTyped] = useState(q);
  const [address, setAddress] = useState(q);
  // The address was changed elsewhere: a cleared filter, a link, or navigation.
  if (address !== q) {
    setAddress(q);
    if (typed.trim() !== q) setTyped(q);
  }
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => replaceParams({ q: typed.trim() }), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, q]);
  return (
    <label className="flex h-7 min-w-32 grow basis-40 items-center gap-2 rounded-md px-2 text-faint focus-within:outline-2 focus-within:outline-focus">
      <Search size={14} aria-hidden className="shrink-0" />
      <span className="sr-only">{label}</span>
      <input
        data-filter
        type="search"
        value={typed}
        placeholder={label}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-0 grow bg-transparent text-text outline-none placeholder:text-faint"
      />
    </label>
  );
}
