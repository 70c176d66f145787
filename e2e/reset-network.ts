/**
 * The state in which every browser test starts: no rooms, no operations, no faults or limits of regions, no findings.
 * Nothing needs attention.
 */
import { mailServerId, ProblemError, roles } from '@roomkeeper/contract'
import { administrator, type Network, operatorDraft } from '@roomkeeper/dev-env'

/** The accounts that tests sign in with. Accounts that a test created are deleted. */
const lastingOperators = [administrator.email, ...roles.map((role) => operatorDraft(role).email)]

/** Deletes rooms from the console's database only. Names are unique, so those left on the regions do no harm. */
export async function resetNetwork(network: Network): Promise<void> {
  for (const index of network.regions.keys()) await network.setRegionFaults([], index)
  await endOperations(network)
  const { rows } = network.database
  await rows('delete from live_migrations')
  await rows('delete from forced_deletions')
  await rows('delete from backup_policies')
  await rows('delete from api_tokens')
  await rows('delete from webhook_deliveries')
  await rows(`delete from webhooks where id <> '${mailServerId}'`)
  await rows('update webhooks set failing_since = null')
  await rows('delete from operations')
  await rows('truncate bulks, operation_items, operation_item_counts, customer_aliases')
  await rows('delete from rooms')
  await rows('delete from deleted_rooms')
  await rows('truncate doctor_runs, doctor_findings')
  await rows('truncate maintenance, notifications, cloud_configuration, rate_limit_hits, failed_sign_ins')
  await rows('delete from operators where email <> all($1)', [lastingOperators])
  await rows('delete from regions where id > 2')
  await rows(
    `update regions set name = 'region-' || id, state = 'enabled', max_rooms = -1, products = '{ARIS,MINING,ENTERPRISE}',
            health = 'answers', health_since = now() - interval '1 hour', down_since = null`,
  )
}

async function endOperations({ admin, settle }: Network): Promise<void> {
  const { body: running } = await admin.call('runningOperations', {})
  for (const { operationId } of running) {
    await admin.call('cancelOperation', { params: { id: operationId } }).catch((error: unknown) => {
      // The operation has ended, or is a deletion past the point of no return, which ends by itself.
      if (!(error instanceof ProblemError)) throw error
    })
  }
  await settle()
}
