#!/usr/bin/env bash
#
# One round through the whole service with nothing but curl. It pays a salary and takes another one back, opens a card
# checkout, buys airtime, pays a bill, asks who somebody is, makes a payment link and asks for a deposit.
#
#   paybatch sandbox --port 8080              # in another window: the practice service, where no money moves
#   bash samples/curl.sh http://127.0.0.1:8080 CLIENT_ID CLIENT_SECRET
#
# Address and credentials may also come from PAYBATCH_BASE_URL, PAYBATCH_CLIENT_ID and PAYBATCH_CLIENT_SECRET. It stops with
# 1 at the first step that is not answered as it should be. Against a real account it moves real money.

set -euo pipefail

base=${1:-${PAYBATCH_BASE_URL:-}}
client_id=${2:-${PAYBATCH_CLIENT_ID:-}}
client_secret=${3:-${PAYBATCH_CLIENT_SECRET:-}}
# Where results are sent to; nobody listens here, and everything can be asked for as well.
callback=${CALLBACK_URL:-http://127.0.0.1:9/callback}
# How long a payment may take, seconds.
patience=${PATIENCE:-30}
if [ -z "$base" ] || [ -z "$client_id" ] || [ -z "$client_secret" ]; then
  echo "usage: bash curl.sh URL CLIENT_ID CLIENT_SECRET" >&2
  exit 2
fi

# Identifiers must be new in every run.
run="curl-$(date +%s)-$$"
token=
steps=0

# call METHOD PATH [CURL OPTION...]: leaves the HTTP status in $status and the body in $answer.
call() {
  local method=$1 path=$2 raw
  shift 2
  raw=$(curl --silent --show-error --max-time 30 --request "$method" ${token:+--header "Authorization: Bearer $token"} \
    --write-out '\n%{http_code}' "$@" "$base$path") || stop "$method $path was not answered"
  status=${raw##*$'\n'}
  answer=${raw%$'\n'*}
}

# send METHOD PATH JSON: the same with a JSON body.
send() { call "$1" "$2" --header 'Content-Type: application/json' --data "$3"; }

# value NAME [TEXT]: the first value of a field in the last answer, or in TEXT; null and a missing field are empty.
value() {
  { printf '%s' "${2-$answer}" | grep -oE "\"$1\" *: *(\"[^\"]*\"|[-0-9.a-z]+)" || true; } |
    sed -nE '1 { s/^"[^"]*" *: *//; s/^"(.*)"$/\1/; s/^null$//; p; }'
}

say() {
  steps=$((steps + 1))
  printf '%2d  %-18s %s\n' "$steps" "$1" "$2"
}

stop() {
  printf 'FAILED after step %d: %s\n' "$steps" "$1" >&2
  [ -z "${answer:-}" ] || printf 'HTTP %s %s\n' "${status:-}" "$answer" >&2
  exit 1
}

# want STATUS: the HTTP status of the last answer.
want() { [ "$status" = "$1" ] || stop "expected HTTP $1"; }

# is NAME VALUE: a field of the last answer.
is() { [ "$(value "$1")" = "$2" ] || stop "expected $1 to be $2"; }

# has NAME: a field that the last answer must hold.
has() { [ -n "$(value "$1")" ] || stop "expected a value of $1"; }

# until_it_is NAME VALUE PATH: asks again until a field has a value.
until_it_is() {
  local end=$(($(date +%s) + patience))
  while :; do
    call GET "$3"
    if [ "$status" = 200 ] && [ "$(value "$1")" = "$2" ]; then return; fi
    [ "$(date +%s)" -lt "$end" ] || stop "$1 did not become $2"
    sleep 0.3
  done
}

# --- health and token ------------------------------------------------------------------------------------------------

call GET /api_health_check
want 200
say health "$answer"

call POST /connect/token --data-urlencode "client_id=$client_id" --data-urlencode "client_secret=$client_secret" \
  --data-urlencode grant_type=client_credentials --data-urlencode scope=service_api
want 200
is token_type Bearer
token=$(value access_token)
say token "good for $(value expires_in) s"

# --- what there is: routes, charges, balance -------------------------------------------------------------------------

call GET /v1/transaction-routes/assigned-routes
want 200
routes=$(printf '%s' "$answer" | tr '{' '\n')
wallet=$(printf '%s\n' "$routes" | grep 'Mobile Wallet Transfers' | grep KENYA) || stop 'no wallet route'
wallet_route=$(value id "$wallet")
card=$(printf '%s\n' "$routes" | grep -A 1 'Card Payment') || stop 'no card route'
card_route=$(value id "$card")
card_channel=$(value channelType "$(printf '%s\n' "$card" | tail -n 1)")
say routes "wallet $wallet_route, card $card_route"

call GET "/v1/charge/fetch-charges?transactionTypeId=$(value transactionTypeId "$wallet")"
want 200
printf '%s' "$answer" | grep -q '"graduatedScaleList":\[{' || stop 'expected a scale of charges'
say charges "$(value name): from $(value minimumCharge) to $(value maximumCharge) $(value currencyName)"

call GET '/v1/customer-accounts/get-wallet-balance?ccy=404'
want 200
is status 00
say balance "$(value balance) KES"

# --- a payout --------------------------------------------------------------------------------------------------------

# order ID PHONE AMOUNT: one line to a mobile wallet.
order() {
  printf '{"originatorConversationId":"%s","paymentNotes":"Salaries","paymentOrderLines":[{"recipient":{"name":"Amina Otieno",
    "phoneNumber":"%s","primaryAccountNumber":"%s","mccmnc":"63902","ccy":404,"country":"KE","purpose":"Salary"},
    "transaction":{"routeId":"%s","channelType":1,"amount":%s,"reference":"EMP-1","systemTraceAuditNumber":"%s-1"}}]}' \
    "$1" "$2" "$2" "$wallet_route" "$3" "$1"
}

send POST /v1/payment-order/new-order "$(order "$run-pay" +254712000777 1500.50)"
want 200
is originatorConversationId "$run-pay"
say order "$(value remarks), $(value systemConversationId)"

until_it_is transactionStatusDescription Completed \
  "/v1/payment-order/check-status?IdType=OriginatorConversationId&Id=$run-pay"
is transactionStatus 4
has thirdPartyReceiptNumber
say paid "$(value paymentAmount) and a fee of $(value feeAmount), receipt $(value thirdPartyReceiptNumber)"

# A repetition is accepted too, and nothing is paid for it: an acceptance never proves a payment.
send POST /v1/payment-order/new-order "$(order "$run-pay" +254712000777 1500.50)"
want 200
call GET "/v1/payment-order/check-status?IdType=OriginatorConversationId&Id=$run-pay"
is resultCode 9
say 'the same again' "accepted, then told as code $(value resultCode): $(value resultCodeDescription)"

# A phone that ends with 0003 stays pending for two minutes in the practice service: time enough to think again.
send POST /v1/payment-order/new-order "$(order "$run-late" +254712000003 800)"
want 200
call POST "/v1/payment-order/reject-order?OriginatorConversationId=$run-late"
want 200
is transactionStatus 7
is resultCode 0
say 'taken back' "$(value transactionStatusDescription): $(value resultCodeDescription)"

call GET '/v1/payment-order/check-status?IdType=OriginatorConversationId'
want 400
say 'no id' "$(value field): $(value message)"

# --- a card checkout -------------------------------------------------------------------------------------------------

send POST /v1/checkout-order/new-order "{\"originatorConversationId\":\"$run-cart\",\"checkoutRouteId\":\"$card_route\",
  \"checkoutRouteChannelType\":$card_channel,\"checkoutNotes\":\"Two tickets\",\"checkoutCcy\":404,
  \"checkoutDueDate\":\"2099-12-31T20:59:59Z\",\"checkoutReturnUrl\":\"https://shop.example.test/thanks\",
  \"checkoutCancelUrl\":\"https://shop.example.test/cart\",\"checkoutCallbackUrl\":\"$callback\",
  \"checkoutReference\":\"$run-ref\",\"checkoutAccountNo\":\"COLLECT-1\",
  \"checkoutOrderLines\":[{\"sku\":\"TICKET\",\"name\":\"Ticket\",\"price\":1250.50},{\"sku\":\"FEE\",\"name\":\"Fee\",\"price\":50}]}"
want 200
is status 000
say checkout "pay at $(value checkoutUrl)"

# --- airtime and bills -----------------------------------------------------------------------------------------------

send POST /v1/airtime-purchase "{\"originatorConversationId\":\"$run-air\",\"callbackURL\":\"$callback\",
  \"recipients\":[{\"currencyCode\":\"KES\",\"phoneNumber\":\"254712000777\",\"amount\":100,\"name\":\"Amina Otieno\"}]}"
want 200
is originatorConversationId "$run-air"
say airtime "$(value remarks)"

call GET /v1/bill-services
want 200
service=$(value id "$(printf '%s' "$answer" | tr '{' '\n' | grep serviceCategoryDescription | grep '"enabled":true' | head -n 1)")
bill_route=$(value route "$(printf '%s' "$answer" | tr '{' '\n' | grep '"route"' | head -n 1)")
[ -n "$service" ] || stop 'no bill service'
say 'bill services' "$(printf '%s' "$answer" | grep -o '"serviceCategoryDescription"' | wc -l | tr -d ' ') of them"

send POST /v1/bill-numbers "{\"serviceId\":\"$service\",\"accountNumber\":\"37000777\",\"phoneNumber\":\"254712000777\"}"
want 200
has accountCustomerName
say 'bill number' "37000777 is the account of $(value accountCustomerName)"

send POST /v1/bill-payments "{\"routeId\":\"$bill_route\",\"serviceId\":\"$service\",\"accountNumber\":\"37000777\",
  \"transactionType\":2,\"msisdn\":\"254712000777\",\"transactionDesc\":\"Electricity\",
  \"originatorConversationId\":\"$run-bill\",\"amount\":500,\"customerNames\":\"Amina Otieno\",\"countryCode\":\"KE\",
  \"currencyCode\":\"KES\",\"saveBillerNumber\":false,\"callBackUrl\":\"$callback\",\"narration\":\"November\"}"
want 200
is originatorConversationId "$run-bill"
say 'bill payment' "$(value remarks)"

until_it_is status 4 "/v1/bill-payments?OriginatorConversationId=$run-bill"
say 'bill paid' "$(value transactionStatusDescription), receipt $(value receiptNumber)"

# --- who is it -------------------------------------------------------------------------------------------------------

send POST /v1/kyc-request/validate "{\"routeId\":\"$wallet_route\",\"kycRequestFirstName\":\"Amina\",
  \"kycRequestMiddleName\":\"Wanjiru\",\"kycRequestLastName\":\"Otieno\",\"kycRequestNationalID\":\"22334455\",
  \"kycRequestReportReason\":1,\"systemTraceAuditNumber\":\"$run-kyc\",\"country\":\"KE\",\"ccy\":404}"
want 200
is systemTraceAuditNumber "$run-kyc"
say person "$(value message)"

until_it_is personalProfileNationalID 22334455 "/v1/kyc-request/check-status?stan=$run-kyc"
say 'person found' "$(value kycRequestFullNames), $(value kycRequestNationalID)"

send POST /v1/account/validate "{\"type\":1,\"systemTraceAuditNumber\":\"$run-account\",
  \"primaryAccountNumber\":\"+254712000777\",\"institutionCode\":\"63902\",\"callBackUrl\":\"$callback\",
  \"callBackFormat\":\"JSON\",\"ccy\":\"KES\",\"countryCode\":\"KE\"}"
want 200
until_it_is statusDesc Completed "/v1/account/query?stan=$run-account"
say account "$(value transactionCreditParty)"

# --- money in --------------------------------------------------------------------------------------------------------

send POST /v1/payment-link/create-payment-link '{"shortCode":"600111","firstName":"Amina","lastName":"Otieno",
  "emailAddress":"amina@example.test","phoneNumber":"254712000777","description":"Invoice 9","isAmountSpecified":true,
  "amount":2500,"currency":"KES","redirectionSite":"https://shop.example.test/thanks"}'
want 200
link=$(value id)
[ -n "$link" ] || stop 'no identifier of the payment link'
say 'payment link' "$link"

send PUT /v1/payment-link/update-payment-link "{\"id\":\"$link\",\"shortCode\":\"600111\",\"firstName\":\"Amina\",
  \"lastName\":\"Otieno\",\"emailAddress\":\"amina@example.test\",\"phoneNumber\":\"254712000777\",
  \"description\":\"Invoice 10\",\"isAmountSpecified\":true,\"amount\":3000,\"redirectionSite\":\"https://shop.example.test/done\"}"
want 200
call GET "/v1/payment-link/get-payment-link?Id=$link"
want 200
is description 'Invoice 10'
is amount 3000
say 'link changed' "$(value description), $(value amount)"

send POST /v1/express-deposit "{\"ShortCode\":\"600111\",\"Amount\":\"1500.50\",\"PhoneNumber\":\"254712000777\",
  \"AccountNo\":\"INV-9\",\"TransactionDesc\":\"Invoice 9\",\"OriginatorConversationId\":\"$run-deposit\",
  \"CallBackUrl\":\"$callback\"}"
want 200
say deposit "$(value remarks)"
until_it_is resultCode 0 "/v1/express-deposit/check-status?OriginatorConversationId=$run-deposit"
has mpesaReceiptNumber
say 'deposit paid' "receipt $(value mpesaReceiptNumber)"

call GET '/v1/customer-accounts/get-wallet-balance?ccy=404'
want 200
is status 00
say balance "$(value balance) KES"

echo "All $steps steps were answered as they should be."
