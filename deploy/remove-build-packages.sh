#!/bin/sh
# Removes the packages that only the build and its pages need, once `npm run build` has ended: .next, public/vendor and
# models/weights then hold all of them that the service reads. On a checkout they stay dependencies, since `npm start`
# builds there.
set -eu
cd "$(dirname "$0")/.."
npm prune --omit=dev
npm uninstall --no-save --omit=dev \
  @ffmpeg/core-mt \
  @ffmpeg/ffmpeg \
  @fontsource-variable/inter \
  @fontsource-variable/jetbrains-mono \
  @fontsource/instrument-serif \
  @mediabunny/mp3-encoder \
  @mediapipe/selfie_segmentation \
  @ricky0123/vad-web \
  @tanstack/react-query \
  @trpc/client \
  @trpc/tanstack-react-query \
  client-zip \
  comlink \
  idb \
  lucide-react \
  nsfwjs \
  onnxruntime-web \
  wasm-vips

# Our part of the background remover: the build has joined it to matte.onnx.
rm -f models/weights/own-matte.onnx

# What development installs stays as soon as a package can also use it, as better-auth can vitest and drizzle-kit.
node -e '
  const { readFileSync, rmSync } = require("node:fs");
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const [path, { devOptional }] of Object.entries(packages)) {
    if (devOptional) rmSync(path, { recursive: true, force: true });
  }
'

# Compilers, what they have cached, and engines for other systems than the image's.
rm -rf node_modules/typescript node_modules/@next/swc-* node_modules/@rolldown node_modules/lightningcss-* .next/cache
rm -rf node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32
for engine in node_modules/onnxruntime-node/bin/napi-v6/linux/*; do
  [ "$(basename "$engine")" = "$(node -p process.arch)" ] || rm -rf "$engine"
done
