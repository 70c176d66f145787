/**
 * Shows which processes use the postmaster: each process that started or adopted it holds a named connection open.
 * PostgreSQL notices when such a process dies, so a lease can never be stale.
 */
import type { Cluster } from './cluster.ts'
import { ScramClient } from './scram/scram-client.ts'

export interface Lease {
  othersHoldOne(): Promise<boolean>
  release(): Promise<void>
}

/** @param onLost called once if the connection ends without `release` */
export async function takeLease(cluster: Cluster, onLost: () => void): Promise<Lease> {
  const leaseName = `${cluster.application.name} lease`
  const client = new ScramClient({ connectionString: cluster.connection.url('postgres'), application_name: leaseName })
  let isHeld = false
  const lose = () => {
    if (isHeld) onLost()
    isHeld = false
  }
  client.on('error', lose)
  client.on('end', lose)
  await client.connect()
  isHeld = true
  return {
    async othersHoldOne() {
      if (!isHeld) return false
      const others = await client.query(
        'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
        [leaseName],
      )
      return others.rows.length > 0
    },
    async release() {
      if (!isHeld) return
      isHeld = false
      await client.end()
    },
  }
}
