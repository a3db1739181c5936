import { type NavigateOptions, type RegisteredRouter, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/**
 * Leads on once for each goal. The router's own component starts again with every rendering, which never ends while the
 * code of the next page is fetched.
 */
export function Redirect<const To extends string | undefined>(options: NavigateOptions<RegisteredRouter, string, To>) {
  const navigate = useNavigate();
  const current = useRef(options);
  current.current = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another goal is another way; what goes along is not
  useEffect(() => void navigate({ ...(current.current as NavigateOptions), replace: true }), [navigate, options.to]);
  return null;
}
