/** The product's logo: a door. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--rk-accent)" />
      <g fill="none" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round">
        <path d="M9 24V9.5A1.5 1.5 0 0 1 10.5 8h11A1.5 1.5 0 0 1 23 9.5V24" />
        <path d="M13.5 24v-4.5a2.5 2.5 0 0 1 5 0V24" />
        <path d="M6.5 24h19" />
      </g>
      <circle cx="16" cy="12.8" r="1.6" fill="#fff" />
    </svg>
  )
}
