#!/usr/bin/env bash
# Makes the image that the Dockerfile starts from out of the Node, npm and C library of this machine, so that no registry of images is asked: STORAGE=FOLDER base-image.sh NAME NODE
set -euo pipefail
name=$1 node=$2
buildah() { command buildah --root "$STORAGE/root" --runroot "$STORAGE/run" "$@"; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
put() { mkdir -p "$root$(dirname "$2")"; cp -L "$1" "$root$2"; }
libraries() { ldd "$1" 2>/dev/null | grep -o '/[^ ]*' || true; }
put "$node" /usr/local/bin/node
for program in sh env install chmod chown mkdir uname; do put "$(command -v $program)" "/usr/bin/$program"; done
for program in "$root"/usr/local/bin/* "$root"/usr/bin/*; do
  for library in $(libraries "$program"); do [[ -e "$root$library" ]] || put "$library" "$library"; done
done
# Parts of the C library that only some modules load.
libc=$(ldd "$node" | grep -o '/[^ ]*/libc\.so\.6')
for library in "${libc%/*}"/lib{rt,resolv,nss_files,nss_dns}.so.?; do [[ ! -e $library ]] || put "$library" "$library"; done
ln -s usr/bin "$root/bin"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules" "$root/tmp" "$root/root" "$root/home/node" "$root/etc/ssl" "$root/usr/local/etc"
cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp -rL /etc/ssl/certs "$root/etc/ssl/certs"
printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' > "$root/etc/group"
settings=$(npm config get globalconfig); [[ ! -e "$settings" ]] || cp "$settings" "$root/usr/local/etc/npmrc"
chmod 1777 "$root/tmp"
container=$(buildah from scratch)
buildah copy --quiet "$container" "$root" /
buildah config --env PATH=/usr/local/bin:/usr/bin ${NODE_EXTRA_CA_CERTS:+--env NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} "$container"
buildah commit --quiet --rm "$container" "$name"
