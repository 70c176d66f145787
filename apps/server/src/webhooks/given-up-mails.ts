/** For a statement whose `$1` is `mailServerId`: the e-mails of the last day that were not delivered and are not tried any more. */
export const givenUpMails = `webhook_deliveries
  where webhook_id = $1 and state = 'ended' and failure is distinct from 'not-needed'
    and last_try_at > now() - interval '1 day'`
