/** The English texts of what the consistency check finds, by `finding-` and its kind; some facts have a text of their own. */
export const findingTexts = {
  'finding-region-unreachable':
    'The region {{region}} could not be asked: {{reason}} Its project rooms were not looked at.',
  'finding-region-twice':
    'The regions {{region}} and {{other}} are the same server: each project room there is seen twice.',
  'finding-room-unknown': 'The region {{region}} has a project room {{room}} that the console does not know.',
  'finding-room-unknown-former':
    'The region {{region}} has a copy of the project room {{room}} that this console had until {{former}}.',
  'finding-room-unknown-purged':
    'The region {{region}} has a project room {{room}} again, of which a certificate of {{purged}} says that nothing is left.',
  'finding-room-missing': 'The region {{region}} does not have the project room {{room}}.',
  'finding-room-elsewhere':
    'The region {{region}} does not have the project room {{room}}, but the region {{other}} has it.',
  'finding-room-elsewhere-unasked':
    'The region {{region}} does not have the project room {{room}}, but the region {{other}} has it. Could not be asked: {{unasked}}.',
  'finding-room-twice':
    'The region {{region}} has a second copy of the project room {{room}}; the one in use is in {{home}}.',
  'finding-room-twice-damaged':
    'The region {{region}} has another copy of the project room {{room}}; the one in use, in {{home}}, cannot be read.',
  'finding-room-damaged': 'The region {{region}} cannot read the project room {{room}}. It says: “{{reason}}”.',
  'finding-room-id-differs': 'The project room {{room}} in the region {{region}} is another one of the same name.',
  'finding-product-differs': 'The project room {{room}} is {{expected}} here and {{found}} in the region {{region}}.',
  'finding-state-differs': 'The project room {{room}} is “{{expected}}” here and “{{found}}” in the region {{region}}.',
  'finding-settings-differ':
    'The project room {{room}} has other values in the region {{region}} than here: {{fields}}.',
  'finding-room-stuck': 'The project room {{room}} is “{{state}}”, but no operation runs for it.',
  'finding-lock-orphaned':
    'The project room {{room}} in the region {{region}} is locked by “{{holder}}”, for which nothing runs here.',
  'finding-redirect-misleads': 'The region {{region}} sends the visitors of {{room}} to {{target}}, where it is not.',
  'finding-redirect-without-room':
    'The region {{region}} sends the visitors of {{room}} on, but there is no such project room.',
  'finding-backup-missing': 'The file of a backup of {{room}} from {{at}} is gone: {{location}}.',
  'finding-backup-altered': 'A backup of {{room}} from {{at}} is not what it should be ({{what}}): {{location}}.',
  'finding-indexes-damaged':
    'The project room {{room}} has damaged indexes ({{databases}}): its backup from {{at}} can be restored, and a restore builds them anew.',
  'finding-store-unreachable': 'Backups could not be looked at: {{reason}}',
  'finding-operation-unclaimed': 'The operation {{operation}} for {{room}} is open, but no worker runs it: {{why}}.',
  'finding-reservation-left-over':
    'Capacity in the region {{region}} is reserved for {{room}}, but no operation needs it.',
  'finding-count-differs': '{{what}}: {{kept}} are kept, {{counted}} were counted.',
  'finding-audit-damaged': 'The audit trail is damaged: {{damage}}',
  'finding-audit-cut-off':
    'The audit trail lacks the seal {{position}} ({{hash}}), which was recorded in {{file}} on {{at}}. Its end was removed or replaced, or a dump was restored.',
  'finding-time-jumped':
    'The time of the database went from {{from}} to {{to}} between two looks. Until {{until}} nothing is removed for good.',
  'finding-time-ahead':
    'The backup policy {{policy}} was scheduled until {{until}}, which lay ahead. It goes on from now.',
  'finding-moved-differs':
    'The project room {{room}} in the region {{region}} holds something else than when it was moved there ({{at}}).',
} as const
