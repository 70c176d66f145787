/** Makes every key of the English files known to the compiler. */
import 'i18next'
import type { englishErrors } from './english-errors.ts'
import type activity from './mcp_ui/activity.json'
import type app from './mcp_ui/app.json'
import type audit from './mcp_ui/audit.json'
import type backupPolicies from './mcp_ui/backup-policies.json'
import type backups from './mcp_ui/backups.json'
import type bulks from './mcp_ui/bulks.json'
import type capacity from './mcp_ui/capacity.json'
import type cloud from './mcp_ui/cloud.json'
import type commands from './mcp_ui/commands.json'
import type consistency from './mcp_ui/consistency.json'
import type create from './mcp_ui/create.json'
import type customers from './mcp_ui/customers.json'
import type databases from './mcp_ui/databases.json'
import type deleted from './mcp_ui/deleted.json'
import type edit from './mcp_ui/edit.json'
import type form from './mcp_ui/form.json'
import type importing from './mcp_ui/import.json'
import type keys from './mcp_ui/keys.json'
import type labels from './mcp_ui/labels.json'

import type maintenance from './mcp_ui/maintenance.json'
import type meanwhile from './mcp_ui/meanwhile.json'
import type migrations from './mcp_ui/migrations.json'
import type monitoring from './mcp_ui/monitoring.json'
import type notes from './mcp_ui/notes.json'
import type notifications from './mcp_ui/notifications.json'

import type operations from './mcp_ui/operations.json'
import type operators from './mcp_ui/operators.json'
import type overview from './mcp_ui/overview.json'
import type regions from './mcp_ui/regions.json'
import type restore from './mcp_ui/restore.json'
import type richText from './mcp_ui/rich-text.json'
import type roomActions from './mcp_ui/room-actions.json'
import type roomCustomers from './mcp_ui/room-customers.json'
import type roomFacts from './mcp_ui/room-facts.json'
import type rooms from './mcp_ui/rooms.json'
import type selection from './mcp_ui/selection.json'
import type session from './mcp_ui/session.json'
import type statistics from './mcp_ui/statistics.json'
import type titles from './mcp_ui/titles.json'
import type tokens from './mcp_ui/tokens.json'
import type upload from './mcp_ui/upload.json'
import type views from './mcp_ui/views.json'
import type webhooks from './mcp_ui/webhooks.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: {
      edit: typeof edit
      meanwhile: typeof meanwhile
      databases: typeof databases
      deleted: typeof deleted
      backups: typeof backups
      'backup-policies': typeof backupPolicies
      bulks: typeof bulks
      activity: typeof activity
      audit: typeof audit
      app: typeof app
      capacity: typeof capacity
      cloud: typeof cloud
      commands: typeof commands
      customers: typeof customers
      consistency: typeof consistency
      create: typeof create
      errors: typeof englishErrors
      form: typeof form
      import: typeof importing
      keys: typeof keys
      labels: typeof labels
      notes: typeof notes
      maintenance: typeof maintenance
      notifications: typeof notifications
      migrations: typeof migrations
      monitoring: typeof monitoring
      operations: typeof operations
      titles: typeof titles
      operators: typeof operators
      overview: typeof overview
      regions: typeof regions
      restore: typeof restore
      'rich-text': typeof richText
      'room-actions': typeof roomActions
      'room-facts': typeof roomFacts
      rooms: typeof rooms
      'room-customers': typeof roomCustomers
      session: typeof session
      selection: typeof selection
      statistics: typeof statistics
      tokens: typeof tokens
      upload: typeof upload
      views: typeof views
      webhooks: typeof webhooks
    }
  }
}
