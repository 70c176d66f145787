/** The English texts of what needs attention, by `attention-` and its kind. `more` is 1 if there are more than were counted. */
export const attentionTexts = {
  'attention-region-down': 'The region {{region}} does not answer.',
  'attention-region-refuses-login': 'The region {{region}} refuses the login.',
  'attention-operations-waiting': '{{count}} [[count:operation waits|operations wait]] for the region {{region}}.',
  'attention-no-worker': 'No worker is running: operations, webhooks and e-mails are waiting.',
  'attention-store-missing': 'The backup store cannot be used by {{process}}.',
  'attention-clock-off': 'The clock of {{process}} is off by {{seconds}} s.',
  'attention-audit-damaged': 'The audit trail is damaged.',
  'attention-rooms-failed': '{{count}} [[count:project room has failed|project rooms have failed]].',
  'attention-rooms-without-backup':
    '{{count}}[[more:+|]] [[count:project room has|project rooms have]] no backup of the last 7 days.',
  'attention-rooms-expiring': '{{count}}[[more:+|]] [[count:project room expires|project rooms expire]] within 7 days.',
  'attention-webhooks-failing': '{{count}} [[count:webhook fails|webhooks fail]].',
  'attention-mails-not-delivered': '{{count}}[[more:+|]] undelivered [[count:e-mail|e-mails]].',
  'attention-findings': 'The consistency check has {{count}} open [[count:finding|findings]].',
} as const
