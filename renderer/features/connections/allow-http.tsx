import type { ReactNode } from "react";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** Asks for confirmation of plain http to the internet, once the gateway has reported it. */
export function AllowHttp(props: {
  readonly checked: boolean;
  readonly error: string | undefined;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  const t = useMessages();
  if (props.error === undefined && !props.checked) return null;
  return (
    <div>
      {props.error !== undefined && <p className="mb-1 text-meta wrap-anywhere text-danger-text">{props.error}</p>}
      <CheckBox label={t.connections.allowHttp} checked={props.checked} onChange={props.onChange} />
    </div>
  );
}
