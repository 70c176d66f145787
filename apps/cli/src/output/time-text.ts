/** A time of the server in tables and logs, to the second: `2027-01-31 09:30:00Z`, where Z says that it is UTC. */
export function timeText(time: string): string
export function timeText(time: string | null | undefined): string | null
export function timeText(time: string | null | undefined): string | null {
  return time == null ? null : `${time.slice(0, 19).replace('T', ' ')}Z`
}
