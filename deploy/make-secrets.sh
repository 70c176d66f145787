#!/bin/sh
# Makes the files with passwords and keys that compose.yaml names, each once: what is there stays as it is.
#   deploy/make-secrets.sh console.example [folder]
# The certificate is signed by nobody else. Replace it by one of your own: chain and key in one file.
set -eu
host=${1:?the name or address at which browsers reach the console, such as console.example, 192.0.2.7:8443 or [2001:db8::7]}
folder=${2:-$(dirname "$0")/secrets}
case $host in \[*) ;; *:*:*) echo "Write an IPv6 address in brackets, such as [2001:db8::7]." >&2; exit 1 ;; esac
umask 077
mkdir -p "$folder"
cd "$folder"

secret() { openssl rand -hex 24; }
# Whole or not there, also when this script is killed.
keep() { cat > "$1.new" && mv "$1.new" "$1"; }
# Here, and not within the files, where nobody would notice that openssl is missing.
password=$(secret)
key=$(secret)
first=$(secret)

if [ -e server.env ] && [ ! -e database.env ]; then
  echo "$(pwd): server.env holds the password of a database.env that is not here. Put it back." >&2
  exit 1
fi
[ -e database.env ] || keep database.env <<END
POSTGRES_PASSWORD=$password
END
[ -e server.env ] || keep server.env <<END
# docs/settings.md lists all settings.
PUBLIC_URL=https://$host
DATABASE_URL=postgres://roomkeeper:$(sed -n 's/^POSTGRES_PASSWORD=//p' database.env)@database:5432/roomkeeper
# Without it the stored passwords of regions cannot be opened: keep a copy elsewhere.
SECRET_KEY=$key
# Read at the first start only. Sign in, change the password, and remove these two lines.
ADMIN_EMAIL=admin@localhost
ADMIN_PASSWORD=$first
# Without it e-mails to customers are not sent, only written to DATA_DIR/outbox.
# SMTP_URL=smtps://user:change-me@mail.example:465
# MAIL_FROM=Roomkeeper <noreply@example.com>
END
for region in region-1 region-2; do
  password=$(secret)
  system=$(secret)
  [ -e "$region.env" ] || keep "$region.env" <<END
REGION_PASSWORD=$password
REGION_SYSTEM_PASSWORD=$system
END
done
mkdir -p proxy
if [ ! -e proxy/certificate.pem ]; then
  case $host in
    # An IPv6 address stands in brackets, as in a URL.
    \[*\]*) name=${host#\[} name=${name%%\]*} kind=IP ;;
    *) name=${host%:*} kind=DNS ;;
  esac
  case $name in *[!0-9.]*) ;; *) kind=IP ;; esac
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 -subj "/CN=$name" \
    -addext "subjectAltName=$kind:$name" -keyout key.new -out chain.new 2> said.new || { cat said.new >&2; exit 1; }
  cat chain.new key.new | keep proxy/certificate.pem
  rm chain.new key.new said.new
fi
echo "$(pwd): database.env, server.env, region-1.env, region-2.env, proxy/certificate.pem"
