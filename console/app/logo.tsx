/** Two strokes that meet: the long way and the short one. */
export const Logo = ({ className }: { readonly className?: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
    <rect width="32" height="32" rx="9" className="fill-accent-fill" />
    <path
      d="M10 8v16M22.5 8.5 12.5 17m2.5-2 8 9"
      fill="none"
      className="stroke-on-accent"
      strokeWidth="3.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
