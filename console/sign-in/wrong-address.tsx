import { buttonClasses } from "#console/ui/button.tsx";

/** Shown in place of forms that could not be sent: the server takes them from its own address alone. */
export function WrongAddress({ expected }: { readonly expected: string }) {
  const { origin, pathname, search } = window.location;
  return (
    <div className="flex flex-col gap-4">
      <p>
        You opened <strong className="font-medium break-all">{origin}</strong>, but this server is set up for{" "}
        <strong className="font-medium break-all">{expected}</strong>. Signing in only works there.
      </p>
      <a href={`${expected}${pathname}${search}`} className={buttonClasses({ look: "primary" })}>
        Go to the right address
      </a>
      <p className="text-sm text-soft">
        Do you run this server? To use the address you opened, set{" "}
        <code className="font-mono break-all">KURZ_BASE_URL={origin}</code> and restart it.
      </p>
    </div>
  );
}
