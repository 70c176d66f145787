/** `2026-11-20T10:00:00Z` → `20.11.2026 11:00:00`, in the time zone of the browser. */
export function formatMoment(iso: string): string {
  return `${formatDate(iso)} ${formatTime(iso)}`
}

/** `2026-11-20T10:00:00Z` → `20.11.2026`, in the time zone of the browser. */
export function formatDate(iso: string): string {
  const at = new Date(iso)
  return `${two(at.getDate())}.${two(at.getMonth() + 1)}.${at.getFullYear()}`
}

/** `2026-11-20T10:00:00Z` → `11:00:00`, in the time zone of the browser. */
export function formatTime(iso: string): string {
  const at = new Date(iso)
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
